import { describe, expect, it } from "vitest";
import { reasons } from "../../src/control/reason-sentences.ts";
import { ciRules } from "./rules/ci.ts";
import { ciOfManyRules } from "./rules/ci-of-many.ts";
import { closingRules } from "./rules/closing.ts";
import { foreignRules } from "./rules/foreign.ts";
import { filterRules } from "./rules/filter.ts";
import { inputRules } from "./rules/input.ts";
import { keywordRules } from "./rules/keywords.ts";
import { lateGrantRules } from "./rules/late-grants.ts";
import { orderRules } from "./rules/order.ts";
import { peopleRules } from "./rules/people.ts";
import type { Rule } from "./rules/rule.ts";
import { scopeRules } from "./rules/scope.ts";
import { textEditRules } from "./rules/text-edits.ts";

const chapters: Readonly<Record<string, readonly Rule[]>> = {
  "what is not looked at": filterRules,
  people: peopleRules,
  "keywords and moves": keywordRules,
  "instance scope": scopeRules,
  "arming and input": inputRules,
  "a stranger's pull request": foreignRules,
  closing: closingRules,
  "checks of CI": ciRules,
  "checks of one name, of several commits, and late ones": ciOfManyRules,
  "text that is edited after the command": textEditRules,
  order: orderRules,
  "late grants": lateGrantRules,
};

describe.each(Object.entries(chapters))("rules: %s", (_chapter, rules) => {
  it.each(rules)("$name", ({ given, when, says, does = [], leaves }) => {
    const outcome = given.when(when);
    expect(outcome.says).toBe(says);
    expect(outcome.does).toEqual(does);
    if (leaves !== undefined) expect(leaves[0](outcome.after)).toEqual(leaves[1]);
  });
});

describe("every reason", () => {
  // Reasons that are given where there is no event (flow.test.ts), and by the process graph
  // (graph/advance.test.ts).
  const elsewhere = [
    "payload-rejected",
    "body-forgotten",
    "canary",
    "no-graph",
    "graph-broken",
    "no-such-node",
    "node-not-optional",
  ];
  const produced = new Set(
    Object.values(chapters).flatMap((rules) =>
      rules.map((rule) => rule.given.when(rule.when).decision.reason),
    ),
  );

  it.each(reasons.filter((reason) => !elsewhere.includes(reason)))(
    "%s is given by a rule above",
    (reason) => {
      expect(produced).toContain(reason);
    },
  );
});
