import { expect, test } from "vitest";
import { clausesOf } from "../../src/learnings/clauses.ts";
import { polarityOf } from "../../src/learnings/polarity.ts";

test.each([
  ["one clause", "Run the tests", "run the tests"],
  [
    "punctuation ends one",
    "Use tabs, not spaces; never mind: red! blue? green.",
    "use tabs | not spaces | never mind | red | blue | green",
  ],
  ["several signs end one", "Use tabs!?. Run them", "use tabs | run them"],
  ["signs inside of a word do not", "Use 1.2.3 and a:b", "use 1.2.3 and a:b"],
  ["signs alone are no words", ", run ; tests", "run | tests"],
  ["a condition before", "If red burns, run blue", "?if red burns | run blue"],
  ["a condition behind", "Run blue if red burns", "run blue | ?if red burns"],
  ["a time before", "Before red, run blue", "?before red | run blue"],
  [
    "a time in the middle belongs to a noun",
    "The gate before merging was removed",
    "the gate before merging was removed",
  ],
  ["what tells more of a noun", "The pump that burns is red", "the pump | ?that burns is red"],
  ["a pointing word at the beginning", "That pump burns", "that pump burns"],
  [
    "a pointing word at the beginning of what stands in brackets",
    "Run ( that pump )",
    "run | that pump",
  ],
  ["what is said to be so", "It is wrong that red burns", "it is wrong that red burns"],
  ["what was said to be so", "It was wrong that red burns", "it was wrong that red burns"],
  [
    "it, and something else than being so",
    "It burns that which is red",
    "it burns | ?that | ?which is red",
  ],
  ["something else than it is so", "Red is wrong that burns", "red is wrong | ?that burns"],
  ["brackets", "Run (red blue) green", "run | red blue | green"],
  ["square and other brackets", "Run [red] {blue} green", "run | red | blue | green"],
  ["a bracket inside of a word", "Call f(x now", "call f(x now"],
  ["a dash", "Run red — blue", "run red | — blue"],
  ["a dash inside of a word", "Run red–blue now", "run red–blue now"],
  ["quoted words", 'Restart on "did not respond" once', "restart on | ?once"],
  ["words quoted by single marks", "Restart on 'did not respond' now", "restart on now"],
  [
    "possessions are no marks of quotation",
    "The workers' and the owners' files",
    "the workers' and the owners' files",
  ],
  ["quoted words between others", 'Say"red"blue', "say blue"],
  ["nothing", "", ""],
])("%s: %j is %j", (_what, text, expected) => {
  expect(
    clausesOf(text)
      .map(({ words, condition }) => `${condition ? "?" : ""}${words.join(" ")}`)
      .join(" | "),
  ).toBe(expected);
});

/** The clause that carries the fact; behind a slash what is turned down. */
const read = (text: string): string => {
  const { main, rejected } = polarityOf(text);
  return rejected.length === 0 ? main.join(" ") : `${main.join(" ")} / ${rejected.join(" ")}`;
};

test.each([
  ["the first clause carries it", "Run red, then blue", "run red"],
  ["one that is no condition does", "If red burns, run blue", "run blue"],
  ["one of more than one word does", "Never, run red", "run red"],
  ["a condition does where nothing else stands", "If red burns", "if red burns"],
  ["one word does where nothing else stands", "Run", "run"],
  ["a contraction ends its clause where it stood at its end", "If it isn't, run red", "run red"],
  [
    "an afterthought behind a condition does not",
    "If red burns, not blue, run green",
    "run green / blue",
  ],
  ["an afterthought at the beginning does", "Not blue, run green", "not blue / blue"],
  [
    "what begins like an afterthought and goes on does",
    "If red burns, not blue ever, run green",
    "not blue ever / blue ever",
  ],
  ["an afterthought behind one word does", "If red burns, run, not blue", "not blue / blue"],
  ["two words that deny nothing are none", "If red burns, run blue, run green", "run blue"],
  ["nothing", "", ""],
  ["instead of", "Use red instead of blue", "use red / of blue"],
  ["instead alone", "Use red instead now", "use red instead now"],
  ["of alone", "Use red out of blue", "use red out of blue"],
  ["rather than", "Use red rather than blue", "use red / than blue"],
  ["rather alone", "Use red rather soon", "use red rather soon"],
  ["than alone", "Use more than blue", "use more than blue"],
  ["without", "Run red without blue", "run red / blue"],
  ["without at the beginning", "Without blue run red", "without blue run red / blue run red"],
  ["and not", "Run red and never blue", "run red / never blue"],
  ["but not", "Run red but not blue", "run red / not blue"],
  ["or not", "Run red or never blue", "run red or never blue"],
  ["and at the end", "Run red and", "run red and"],
  ...["after", "before", "for", "on", "in", "by", "with", "from", "to", "just", "only"].map(
    (word): [string, string, string] => [
      `not ${word}`,
      `Run red not ${word} blue`,
      `run red / ${word} blue`,
    ],
  ),
  ["not, and then no such word", "Run red not blue", "run red not blue"],
  ["an order not to do it in a place", "Red must not in blue", "red must not in blue"],
  ["what is not in a place", "Red is not in blue", "red is not in blue"],
  ["not of its own", "Use red, not blue", "use red / blue"],
  ["never of its own", "Use red, never blue", "use red / blue"],
  ["not in the middle", "Use red, blue is not green", "use red"],
])("%s: %j tells %j", (_what, text, expected) => {
  expect(read(text)).toBe(expected);
});
