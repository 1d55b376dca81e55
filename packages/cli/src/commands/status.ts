import { LoopError, type Store, type StoredEvent, type Turn } from "@loopwork/core/ports";
import type { Ports } from "../ports/command-ports.ts";
import { shownStateRoot } from "../state/state-place.ts";
import type { ServiceReport } from "../detach/service-report.ts";
import { turnWords } from "../output/state-words.ts";
import { ago } from "../output/time.ts";
import { unownedStarts, waitingNow } from "@loopwork/runtime/records";
import { auditBlocks, auditsOf } from "../views/audits-view.ts";
import { Command } from "./command.ts";
import { type Block, line, type Result } from "../output/result.ts";
import type { Call } from "../io/call.ts";
import { pollBlocks, pollsOf } from "../views/polls-view.ts";
import { asEnabled, servicesView } from "../views/services-view.ts";
import { unownedBlocks } from "../views/unowned-view.ts";
import { waitingBlocks } from "../views/waiting-view.ts";

/**
 * `loop status`: what runs, what waits for a person and why, what is in flight. Exit 0 when all is
 * as configured.
 */
export default class StatusCommand extends Command {
  override async run(_call: Call, ports: Ports): Promise<Result> {
    const loaded = await ports.config();
    const unused = (await ports.configPlaces()).refused.map(({ file, why }) => ({ file, why }));
    const reports = await (await ports.services()).status();
    const store = await ports.store();
    const [stats, cursors, audited, { waiting, open }] = await Promise.all([
      store.stats(),
      store.cursors.list("last"),
      store.cursors.list("audit"),
      waitingNow(store, loaded.config, ports.clock.now()),
    ]);
    const unowned = await unownedStarts(store, await ports.policy(), ports.clock.now());
    const sandbox = await sandboxText(ports);
    const polls = pollsOf(cursors);
    const audits = auditsOf(audited);
    const data = {
      configFile: loaded.file,
      unusedConfigs: unused,
      stateRoot: loaded.paths.stateRoot,
      instance: loaded.config.instance.name,
      sandbox,
      services: reports,
      polls,
      audits,
      ...stats,
      waiting,
      unownedStarts: unowned,
      turnsOpen: open.map(({ id, lane, state, note }) => ({ id, lane, state, note })),
    };
    const view: readonly Block[] = [
      {
        kind: "fields",
        rows: [
          ["configuration", loaded.file ?? "none, using defaults"],
          ...unused.map(({ file, why }): [string, string] => ["not in use", `${file} (${why})`]),
          ["state", shownStateRoot(loaded.paths)],
          ["instance", loaded.config.instance.name],
          ["sandbox", sandbox],
        ],
      },
      { kind: "heading", text: "Services" },
      ...servicesView(reports, ports.clock.now()),
      ...(loaded.file === null ? [line("    → Run `loop init` to create a configuration")] : []),
      ...pollBlocks(polls, loaded.config.polling.enabled, ports.clock.now()),
      ...auditBlocks(audits, ports.clock.now()),
      ...(await silenceBlocks(store, ports.clock.now())),
      ...waitingBlocks(waiting, ports.clock.now()),
      ...unownedBlocks(unowned, ports.clock.now()),
      ...inFlight(open, ports.clock.now()),
      { kind: "heading", text: "Counts" },
      line(
        `Deliveries: ${stats.undecided} queued. Turns: ${stats.turns.ready} queued, ${stats.turns.injecting} running, ${stats.turns.done} done. Side effects: ${stats.pendingEffects} pending.`,
      ),
    ];
    return { exit: exitOf(reports), data, view };
  }
}

/**
 * Whether the agents of new work items run in a sandbox, and else why not. What keeps the harness
 * from being asked is no reason to show nothing.
 */
async function sandboxText(ports: Ports): Promise<string> {
  try {
    const decision = await (await ports.harness("A")).sandbox();
    if (decision === null || decision.kind === "on") return decision === null ? "none" : "on";
    return decision.kind === "off" ? `off: ${decision.why}` : `turns are on hold: ${decision.why}`;
  } catch (error) {
    if (error instanceof LoopError) return `unknown: ${error.message}`;
    throw error;
  }
}

function inFlight(open: readonly Turn[], now: number): readonly Block[] {
  const running = open.filter(({ state }) => state === "injecting" || state === "ready");
  if (running.length === 0) return [];
  const rows = running.map((turn) => [
    String(turn.id),
    turn.lane,
    turnWords[turn.state],
    turn.attempt === null ? ago(turn.createdAt, now) : ago(turn.attempt.startedAt, now),
    turn.inputs.map(({ event }) => event.event).join(", "),
  ]);
  return [
    { kind: "heading", text: "In flight" },
    { kind: "table", columns: ["turn", "queue", "state", "since", "trigger"], rows, empty: "" },
  ];
}

/** Said while deciding goes on without asking the host; a daemon that began since asks again. */
async function silenceBlocks({ events }: Store, now: number): Promise<readonly Block[]> {
  const newest = async (
    kind: "host.silent" | "host.answering" | "daemon.started",
  ): Promise<StoredEvent | undefined> =>
    (await events.list({ kind, limit: 1, newestFirst: true }))[0];
  const [silent, answering, started] = [
    await newest("host.silent"),
    await newest("host.answering"),
    await newest("daemon.started"),
  ];
  if (silent === undefined || Math.max(answering?.id ?? 0, started?.id ?? 0) > silent.id) return [];
  return [
    line(
      `! The code host stopped answering ${ago(silent.time, now)} (${silent.reason ?? "?"}). Until it does, events are decided by what they say themselves.`,
    ),
  ];
}

function exitOf(reports: readonly ServiceReport[]): 0 | 1 {
  return reports.every(asEnabled) ? 0 : 1;
}
