import { expect, test } from "vitest";
import { eventKinds, type EventLine } from "../../src/event-log/event-line.ts";
import { eventSentence } from "../../src/explain/event-sentence.ts";
import { defaultWords } from "../../src/control/reason-sentences.ts";

type Case = readonly [reason: string | null, fields?: EventLine["fields"]];

/** Beside each kind without anything: what its sentence depends on. */
const cases: Partial<Record<EventLine["kind"], readonly Case[]>> = {
  "delivery.duplicate": [["replay"]],
  "delivery.recovered": [["asked-again"]],
  "delivery.decided": [["unlabelled"], ["closed-by-unauthorized"], ["of-a-later-version"]],
  "turn.queued": [
    [null, { mode: "spawn" }],
    [null, { mode: "resume" }],
  ],
  "turn.started": [
    ["first", { turn: 4 }],
    ["again", { turn: 4 }],
    ["continue", { turn: 4 }],
    ["of-a-later-version", { turn: 4 }],
  ],
  "turn.done": [
    [null, { turn: 4, usd: 1.234, minutes: 12.4 }],
    [null, { turn: 4, usd: 0.01, minutes: 1 }],
    [null, { turn: 4, usd: 0.009, minutes: 0.99 }],
    [null, { turn: 4, usd: 0.5 }],
    [null, { turn: 4, minutes: 0.001 }],
  ],
  "turn.failed": [
    ["timeout", { turn: 4 }],
    ["", { turn: 4 }],
  ],
  "turn.uncertain": [["timeout", { turn: 4 }]],
  "turn.dropped": [["closed", { turn: 4 }]],
  "turn.retried": [["by-hand", { turn: 4 }]],
  "turn.denied-tools": [
    ["Bash", { input: "rm `x` `y`" }],
    ["Bash", { input: "" }],
    [null, { input: null }],
  ],
  "lane.held": [["login", { detail: "no key" }], ["login", { detail: "" }], ["of-a-later-version"]],
  "lane.opened": [["harness-works"]],
  "session.opened": [[null, { harness: "A" }]],
  "session.lost": [["gone"]],
  "session.closed": [["closed"], ["replaced"]],
  "effect.stuck": [
    ["end-session", { detail: "the disk is full" }],
    ["release", {}],
    ["of-a-later-version"],
  ],
  "effect.retried": [[null, { effect: 3 }]],
  "effect.dropped": [[null, { effect: 3 }]],
  "checkout.prepared": [[null, { head: "0123456789abcdef" }]],
  "checkout.released": [
    ["kept", { salvage: "7.bundle" }],
    ["closed", { salvage: "7.bundle" }],
    ["closed", { salvage: null }],
  ],
  "checkout.hardened": [[null, { removed: "core.pager" }]],
  "workspace.trust-failed": [[null, { why: "read-only" }]],
  "pull-request.linked": [
    [null, { pullRequest: 12, repository: "octo/shop" }],
    [null, { pullRequest: "host:octo/shop#2" }],
    [null, { pullRequest: "2x", repository: "octo/shop" }],
  ],
  "learnings.consolidated": [
    [null, { changes: 2, files: 1, waiting: 0 }],
    [null, { changes: 0, files: 0, waiting: 5, evicted: 0, expired: 2, damaged: 0 }],
    [null, { changes: 2, files: 1, waiting: 0, evicted: 21, expired: 2, damaged: 3 }],
  ],
  "graph.moved": [
    [null, { node: "build" }],
    [null, { node: "build", from: "plan" }],
  ],
  "graph.answered": [
    [null, { by: "carol", approved: true, node: "gate" }],
    [null, { by: "carol", approved: false, node: "gate" }],
  ],
  "graph.not-taken": [[null, { by: "carol", node: "gate", detail: "it names no reason" }]],
  "graph.waived": [
    ["skipped", { by: "carol", node: "gate" }],
    ["accepted", { by: "carol", node: "gate" }],
  ],
  "graph.judged": [
    ["rework", { what: "critics", node: "review", detail: "two findings" }],
    ["passed", { node: "review" }],
  ],
  "graph.waits": [
    ["approval", { node: "gate", detail: "for @carol" }],
    ["unfinished", { node: "plan", detail: "tasks.md is not there" }],
  ],
  "work-item.adopted": [[null, { from: "laptop" }]],
  "work-item.imported": [
    [null, { from: "laptop" }],
    [null, { from: null }],
  ],
  "instance.drained": [
    [null, { name: "laptop", drained: true }],
    [null, { name: "laptop", drained: false }],
  ],
  "actor.forgotten": [[null, { login: "carol" }]],
  "repository.renamed": [[null, { name: "octo/store" }]],
  "repository.recreated": [[null, { name: "octo/store" }]],
  "host.posted": [["agent-tool"]],
  "host.failed": [
    ["adopted", { detail: "it is gone" }],
    ["refused", { detail: "it is locked" }],
  ],
  "audit.failed": [[null, { message: "timeout" }]],
  "poll.failed": [[null, { repository: "octo/shop", message: "timeout" }]],
  "poll.recovered": [[null, { repository: "octo/shop" }]],
  "daemon.stopped": [[null, { daemon: "service" }]],
  "daemon.warning": [
    ["disk", {}],
    ["disk", { detail: "the disk is full" }],
  ],
};

test("what each line of the event log says in words: nothing told first, then with what its sentence depends on", async () => {
  const told = eventKinds.flatMap((kind) =>
    [[null] as Case, ...(cases[kind] ?? [])].map(([reason, fields = {}]) => {
      const given = [
        ...(reason === null ? [] : [JSON.stringify(reason)]),
        ...(Object.keys(fields).length === 0 ? [] : [JSON.stringify(fields)]),
      ].join(" ");
      return `${kind}${given === "" ? "" : ` ${given}`}\n    ${eventSentence({ kind, reason, fields }, defaultWords)}\n`;
    }),
  );
  await expect(told.join("")).toMatchFileSnapshot("event-sentences.txt");
});
