import type { ItemState, Session } from "@loopwork/core/ports";
import type { Ports } from "../../ports/command-ports.ts";
import { harnessWords, holdWords, sessionWords } from "../../output/state-words.ts";
import { ago } from "../../output/time.ts";
import { Command } from "../command.ts";
import { type Call, flag } from "../../io/call.ts";
import type { Result } from "../../output/result.ts";
import type { Command as Commander } from "commander";

/** `loop sessions list`: the conversations of this machine. */
export default class SessionsListCommand extends Command {
  override describe(command: Commander): void {
    command.option("--all", "Include closed sessions");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const items = await (await ports.store()).items.list();
    const sessions = items
      .flatMap((item) => item.sessions.map((session) => ({ item, session })))
      .filter(({ session }) => flag(call, "all") || session.status !== "closed");
    const rows = sessions.map(({ item, session }) => [
      session.endpoint,
      stateText(item, session),
      harnessWords[session.harness],
      session.harnessSessionId.slice(0, 8),
      ago(session.createdAt, ports.clock.now()),
      session.workdir ?? "-",
    ]);
    return {
      exit: 0,
      data: sessions.map(({ session }) => session),
      view: [
        {
          kind: "table",
          columns: ["work item", "state", "harness", "session", "opened", "checkout"],
          rows,
          empty: "No sessions. Comment `loop start` on a labelled issue to open one.",
        },
      ],
    };
  }
}

/** Why its queue is on hold, if it is; else how the session stands. */
function stateText(item: ItemState, session: Session): string {
  const hold = item.lanes.find(({ endpoint }) => endpoint === session.endpoint)?.hold ?? null;
  if (hold === null || session.status !== "active") return sessionWords[session.status];
  const words = holdWords[hold.reason];
  return words === hold.reason ? words : `${words} (${hold.reason})`;
}
