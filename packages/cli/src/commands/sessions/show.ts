import { escapeInline, formatRef, type Turn } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { counted } from "../../output/pluralize.ts";
import { harnessWords, sessionWords, turnWords } from "../../output/state-words.ts";
import { ago } from "../../output/time.ts";
import { Command } from "../command.ts";
import { type Block, line, type Result } from "../../output/result.ts";
import type { Call } from "../../io/call.ts";
import { endpointArgument } from "../work-item-argument.ts";

/**
 * `loop sessions show`: one work item with its control record, sessions, pull requests and turns.
 */
export default class SessionsShowCommand extends Command {
  override describe(command: Commander): void {
    command.argument("[ref]", "Work item").option("--work-item <ref>", "Work item");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const ref = formatRef(await endpointArgument(call, ports));
    const store = await ports.store();
    const [item, turns] = await Promise.all([
      store.items.load(ref),
      store.lanes.turns({ workItem: ref, limit: 20 }),
    ]);
    if (item.workItem === null && item.sessions.length === 0)
      return { exit: 1, data: null, view: [line(`Nothing is on record for ${ref}`, "dim")] };
    const { workItem } = item;
    const fields: (readonly [string, string])[] = [
      ["work item", `${ref}${workItem === null ? "" : ` ${workItem.title}`}`],
      [
        "control",
        workItem === null
          ? "-"
          : `${workItem.control.status}${workItem.control.requestedBy === null ? "" : ` by @${workItem.control.requestedBy}`}${workItem.control.at === null ? "" : `, ${ago(workItem.control.at, ports.clock.now())}`}`,
      ],
      ...(workItem?.graph === undefined
        ? []
        : [
            [
              "node",
              `${workItem.graph.node} of graph ${workItem.graph.graph}${workItem.graph.waits == null ? "" : `, ${waitsFor[workItem.graph.waits.for]} (${escapeInline(workItem.graph.waits.detail, 300)}, ${ago(workItem.graph.waits.since, ports.clock.now())})`}`,
            ] as const,
          ]),
      ["label", workItem?.armed === true ? "present" : "missing"],
      ...item.sessions.map(
        (session) =>
          [
            "session",
            `${session.endpoint}: ${sessionWords[session.status]}, ${harnessWords[session.harness]} ${session.harnessSessionId}, in ${session.workdir ?? "no checkout"}${session.runner === "tmux" ? ", in a terminal" : ""}`,
          ] as const,
      ),
      ...item.sessions.flatMap(({ endpoint, status, asked }) =>
        status !== "active" || asked === undefined || asked === null
          ? []
          : [
              [
                "asked",
                `${endpoint}: ${escapeInline(asked.text, 300)} (${ago(asked.at, ports.clock.now())})`,
              ] as const,
            ],
      ),
      ...item.lanes.flatMap(({ endpoint, hold }) =>
        hold === null
          ? []
          : [
              [
                "on hold",
                `${endpoint}: ${hold.reason}${hold.detail === "" ? "" : ` (${hold.detail})`}`,
              ] as const,
            ],
      ),
      ...item.pullRequests.map(
        (link) => ["pull request", `${link.pullRequest}${link.open ? "" : " (closed)"}`] as const,
      ),
      ...item.collaborators.map(
        ({ login, grantedBy, calledNow }) =>
          [
            "collaborator",
            `@${login}${calledNow === undefined ? "" : ` (now @${calledNow})`}, added by @${grantedBy}`,
          ] as const,
      ),
      [
        "spend",
        workItem === null
          ? "-"
          : `${counted(workItem.spend.turns, "turn", "turns")}, ${workItem.spend.minutes.toFixed(1)} min, $${workItem.spend.usd.toFixed(2)}`,
      ],
    ];
    return {
      exit: 0,
      data: { ...item, turns },
      view: [
        { kind: "fields", rows: fields },
        { kind: "heading", text: "Turns" },
        turnsTable(turns, ports.clock.now()),
      ],
    };
  }
}

const waitsFor = {
  approval: "waiting for approval",
  unfinished: "left unfinished by its session",
} as const;

export function turnsTable(turns: readonly Turn[], now: number): Block {
  const rows = turns.map((turn) => [
    String(turn.id),
    turn.lane,
    turnWords[turn.state],
    String(turn.attempts),
    ago(turn.createdAt, now),
    turn.inputs.map(({ event, deliveryId }) => `${event.event} ${deliveryId}`).join(", "),
    turn.note ?? "",
  ]);
  return {
    kind: "table",
    columns: ["turn", "queue", "state", "attempts", "queued", "deliveries", "note"],
    rows,
    empty: "No turns",
  };
}
