import { formatRef, LoopError, type RefText, type Session } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { keepLane } from "../../steer/keep-lane.ts";
import { refuseAgents } from "../../steer/refuse-agents.ts";
import { Command } from "../command.ts";
import { type Call, flag } from "../../io/call.ts";
import { done, line, type Result } from "../../output/result.ts";
import { describeEndpoint, endpointArgument } from "../work-item-argument.ts";

/**
 * `loop sessions attach`: a person sits down in front of a session's terminal. Its lane waits while
 * they may type, and goes on after; `--read-only` watches and keeps nothing waiting.
 */
export default class SessionsAttachCommand extends Command {
  override describe(command: Commander): void {
    describeEndpoint(command)
      .option("--read-only", "Watch only: messages aren't queued, and you can attach during a turn")
      .addHelpText(
        "after",
        "\nPress Ctrl-b d to detach. The session then continues with its queued messages.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAgents(ports, "attach to a session");
    const endpoint = formatRef(await endpointArgument(call, ports));
    if (!ports.io.interactive)
      throw new LoopError(
        "LOOP_E_NO_TERMINAL",
        "Attaching needs a terminal, and there is none here",
        "Run it in a terminal, or follow along with `loop events --follow`",
      );
    const session = await sessionOf(endpoint, ports);
    if (session === null)
      return {
        exit: 1,
        data: { attached: false },
        view: [line(`No session for ${endpoint}`, "dim")],
      };
    await refuseWithoutTerminal(session, ports);
    const terminals = await ports.terminals();
    if (flag(call, "readOnly")) {
      if (!(await terminals.isOpen(session)))
        return {
          exit: 1,
          data: { attached: false },
          view: [
            line(
              `The terminal of ${endpoint} isn't open. It opens with the next turn, or if you attach without --read-only.`,
              "dim",
            ),
          ],
        };
      await terminals.attach(session, true);
      return done({ attached: true, endpoint });
    }
    const lane = await keepLane(session, ports, () =>
      ports.io.err(
        `A turn of ${endpoint} is running. Attaching when it is done (Ctrl-C cancels, --read-only watches it)\n`,
      ),
    );
    try {
      await refuseSecondWriter(session, ports);
      await terminals.open(session);
      await terminals.attach(session, false);
    } finally {
      await lane.leave();
    }
    return done(
      { attached: true, endpoint },
      line(`✓ Detached from ${endpoint}. Queued messages continue.`, "good"),
    );
  }
}

type Placed = Session & { readonly workdir: string };

async function sessionOf(endpoint: RefText, ports: Ports): Promise<Placed | null> {
  const { items } = await ports.store();
  const { sessions } = await items.load((await items.ownerOfEndpoint(endpoint)) ?? endpoint);
  const found = sessions.find(
    (session) => session.endpoint === endpoint && session.status === "active",
  );
  return found?.workdir ? { ...found, workdir: found.workdir } : null;
}

/** Where turns run without a terminal, a person can still go on with the conversation by hand. */
async function refuseWithoutTerminal(session: Placed, ports: Ports): Promise<void> {
  const { config } = await ports.config();
  if (session.harness === "A" && config.routing.runner === "tmux") return;
  const byHand = `cd ${session.workdir} && ${config.harnesses[session.harness].command} --resume ${session.harnessSessionId}`;
  const why = session.harness === "A" ? "routing.runner is headless" : "Cursor doesn't run in one";
  throw new LoopError(
    "LOOP_E_NOT_ATTACHABLE",
    `The session of ${session.endpoint} has no terminal: ${why}`,
    `Continue its conversation by hand: ${byHand}`,
  );
}

/**
 * Two terminals would fork the conversation without a word. Asked under the lock, so that no turn
 * of ours is taken for somebody.
 */
async function refuseSecondWriter(
  { endpoint, harness, harnessSessionId }: Placed,
  ports: Ports,
): Promise<void> {
  const { isHeldElsewhere } = await ports.harness(harness);
  if (!(await isHeldElsewhere(harnessSessionId))) return;
  throw new LoopError(
    "LOOP_E_SESSION_BUSY",
    `The conversation of ${endpoint} is open in another terminal`,
    `Exit that one first (it runs with --resume ${harnessSessionId}). Messages are queued until then.`,
  );
}
