import { describe, expect, it } from "vitest";
import { settle, understand } from "../../src/flow.ts";
import type { Policy } from "../../src/config/policy.ts";
import { itemOf, policyOf, sessionOf, stateOf } from "../../src/testing/build-state.ts";
import { emptyItemState, type ItemState } from "../../src/work-item/records.ts";
import { formatRef } from "../../src/ref/ref.ts";
import { questionsOf } from "../../src/linking/questions.ts";
import { noAnswers, resolve } from "../../src/linking/resolve.ts";
import { examples } from "../event/payloads.ts";

/**
 * What the host's own example payloads come to, one line each: event, action, and for three
 * situations verdict and reason.
 */
function decisions(): readonly string[] {
  const nobody = policyOf({ authorizedUsers: new Set() });
  const starts = policyOf({
    authorizedUsers: new Set(["codertocat", "octocat"]),
    autoExecuteLabel: "bug",
    requireStartCommand: false,
  });
  return examples.map(({ event, payload }, n) => {
    const text = JSON.stringify(payload);
    const lines = [
      decided(n, event, text, nobody, false),
      decided(n, event, text, starts, false),
      decided(n, event, text, starts, true),
    ];
    return `${event} ${typeof payload["action"] === "string" ? payload["action"] : "-"} | ${lines.join(" | ")}`;
  });
}

/** In the third situation the work item was started before and its session lives. */
function decided(n: number, event: string, text: string, policy: Policy, started: boolean): string {
  const understood = understand({ id: `example-${n}`, source: "webhook", event }, text, policy);
  if (!understood.ok) return `rejected: ${understood.why}`;
  const target = resolve(
    understood.event,
    noAnswers,
    policy,
    questionsOf(understood.event, policy),
  );
  const endpoint = target === null ? null : formatRef(target.endpoint);
  const item: ItemState =
    !started || endpoint === null
      ? emptyItemState
      : itemOf("started", {
          workItem: { ref: endpoint, hostUpdatedAt: null },
          sessions: [sessionOf({ endpoint, workItem: endpoint })],
          lanes: [{ endpoint, hold: null }],
        });
  const { decision } = settle(understood.event, stateOf({ target, item }), policy);
  const turns = decision.effects
    .filter((effect) => effect.kind === "turn")
    .map((effect) => ` → ${effect.mode} #${effect.endpoint.number}`);
  return `${decision.verdict.kind}: ${decision.reason}${turns.join("")}`;
}

describe("the host's example payloads", () => {
  it("come to the decisions on record: nobody authorized | authorized, label only | the same, at work", async () => {
    await expect(`${decisions().join("\n")}\n`).toMatchFileSnapshot("decisions.txt");
  });

  it("cause nothing as long as nobody is authorized", () => {
    expect(decisions().filter((line) => !/\| (ignored|noted): [a-z-]+ \|/.test(line))).toEqual([]);
  });
});
