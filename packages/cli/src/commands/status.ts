import type { ItemState, Turn } from "@loopwork/core";
import type { Ports } from "../start/ports.ts";
import type { ServiceReport } from "../detach/services.ts";
import { ago } from "../output/time.ts";
import { type Block, type Call, Command, line, register, type Result } from "./command.ts";
import { asEnabled, servicesView } from "./services-view.ts";

/** `loop status`: what runs, what waits for a person and why, what is in flight (decisions.md 6). Exit 0 when all is as configured. */
class StatusCommand extends Command {
  override async run(_call: Call, ports: Ports): Promise<Result> {
    const loaded = await ports.config();
    const reports = await (await ports.services()).status();
    const store = await ports.store();
    const [stats, items, open] = await Promise.all([store.stats(), store.items.list(), store.lanes.turns({ states: ["ready", "injecting", "uncertain", "failed"], limit: 200 })]);
    const held = items.flatMap(heldLanes);
    const data = { configFile: loaded.file, stateRoot: loaded.paths.stateRoot, instance: loaded.config.instance.name, services: reports, ...stats, held, turnsOpen: open.map(({ id, lane, state, note }) => ({ id, lane, state, note })) };
    const view: readonly Block[] = [
      { kind: "fields", rows: [["configuration", loaded.file ?? "none found: every default is in force"], ["state", loaded.paths.stateRoot], ["instance", loaded.config.instance.name]] },
      { kind: "heading", text: "Services" },
      ...servicesView(reports),
      ...needsYou(held, items, open, ports.clock.now()),
      ...inFlight(open, ports.clock.now()),
      { kind: "heading", text: "Counts" },
      line(`${stats.undecided} deliveries wait to be decided, ${stats.turns.ready} turns wait, ${stats.turns.injecting} run, ${stats.turns.done} are done, ${stats.pendingEffects} effects are pending`),
    ];
    return { exit: exitOf(reports), data, view };
  }
}

register("status", StatusCommand);

type Held = { readonly lane: string; readonly reason: string; readonly until: number | null; readonly detail: string };

function heldLanes(item: ItemState): readonly Held[] {
  return item.lanes.flatMap(({ endpoint, hold }) => (hold === null ? [] : [{ lane: endpoint, ...hold }]));
}

function needsYou(held: readonly Held[], items: readonly ItemState[], open: readonly Turn[], now: number): readonly Block[] {
  const rows = [
    ...held.map(({ lane, reason, until, detail }) => [lane, `held: ${reason}${until === null ? "" : `, goes on ${ago(until, now)}`}`, detail || remedyOf(reason)]),
    ...open.filter(({ state }) => state === "uncertain" || state === "failed").map(({ id, lane, state, note }) => [lane, `turn ${id} ${state}`, note ?? ""]),
    ...items.filter((item) => item.workItem?.closeDeferred).map((item) => [item.workItem?.ref ?? "", "closed by somebody who may not release it", "`loop cleanup` on the item releases it"]),
  ];
  if (rows.length === 0) return [];
  return [{ kind: "heading", text: "Waits" }, { kind: "table", columns: ["work item", "what", "why"], rows, empty: "" }];
}

function inFlight(open: readonly Turn[], now: number): readonly Block[] {
  const running = open.filter(({ state }) => state === "injecting" || state === "ready");
  if (running.length === 0) return [];
  const rows = running.map((turn) => [String(turn.id), turn.lane, turn.state === "injecting" ? "working" : "waiting", turn.attempt === null ? ago(turn.createdAt, now) : ago(turn.attempt.startedAt, now), turn.inputs.map(({ event }) => event.event).join(", ")]);
  return [{ kind: "heading", text: "In flight" }, { kind: "table", columns: ["turn", "lane", "state", "since", "because of"], rows, empty: "" }];
}

function remedyOf(reason: string): string {
  return reason === "uncertain" ? "`loop turns retry` or `loop turns drop` decides it" : "`loop resume` on the item goes on";
}

function exitOf(reports: readonly ServiceReport[]): 0 | 1 {
  return reports.every(asEnabled) ? 0 : 1;
}
