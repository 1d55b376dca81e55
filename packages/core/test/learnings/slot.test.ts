import { describe, expect, test } from "vitest";
import { normalForm, type Token } from "../../src/learnings/normal-form.ts";
import { areSiblings, slotOf } from "../../src/learnings/slot.ts";

const stems = (tokens: readonly Token[]): string => tokens.map(({ stem }) => stem).join(" ");
const read = (text: string): string | null => {
  const slot = slotOf(normalForm(text));
  return slot === null ? null : `${slot.shape}: ${stems(slot.subject)} | ${stems(slot.value)}`;
};

describe("what a sentence is about, and what it says of it", () => {
  test.each([
    ["a heading", "Preview mode: yarn run preview", "label: preview mod | yarn run preview"],
    ["a heading that says nothing", "That: yarn run preview", null],
    [
      "a condition and what is to be done",
      "After changing the cache run make warm",
      "condition: modify cach | run warm",
    ],
    ["a condition whose first word could command", "After run make warm", "condition: run | warm"],
    ["a condition of one word", "On Monday run red", "condition: monday | run red"],
    ["a condition alone", "After the launch", null],
    ["no condition", "Changing the cache red run warm", "claim: modify cach red | warm"],
    ["use something for something", "Use red to paint the blue", "order: paint blu | red"],
    ["with words before it", "Please never use red to paint", "order: paint | red"],
    ["use something that is only named", "Use the red pump", null],
    ["use something behind a word of place", "Use on red in blue", "order: blu | red"],
    ["another order than to use", "Paint red to sell blue", "order: paint red | sell blu"],
    ["do something with something", "Deploy blue with red", "order: deploy blu | red"],
    ["do something at once with something", "Deploy with red via blue", "order: deploy red | blu"],
    ["use something with something", "Run blue with red", "order: run blu | red"],
    ["a thing, no order", "The pump with red", null],
    ["an identifier, no order", "src/a.ts red with blue", null],
    ["words that only lead", "Never always", null],
    ["nothing", "", null],
    ["something is so", "The red pump is the fast one", "claim: red pump | quick one"],
    [
      "something is at work in place of an order",
      "Pumps need red with blue",
      "claim: pump | red blu",
    ],
    ["a word that could be a verb, first", "Runs need red", "claim: run | red"],
    ["a verb in a side clause says nothing of it", "The pump which burns is fast", null],
    ["a side clause at the beginning", "That pump is fast", null],
    ["a side clause behind", "The pump is fast that burns", "claim: pump | quick burn"],
    ["nothing that it is about", "It is red", null],
    ["nothing that is said", "The pump is it", null],
  ])("%s: %j", (_what, text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe("siblings are two things of one kind", () => {
  test.each([
    ["two that are so", "The port of the mailer is 8080", "The port of the importer is 9090", true],
    [
      "two that are gone",
      "The log level of the collector no longer exists",
      "The log level of the balancer no longer exists",
      true,
    ],
    [
      "one that is gone, and one that is so",
      "The log level of the collector no longer exists",
      "The log level of the balancer is verbose",
      true,
    ],
    [
      "one that is gone, and an order about another",
      "The log level of the collector no longer exists",
      "Use verbose for the log level of the balancer",
      false,
    ],
    [
      "one that is gone, and what says nothing of anything",
      "The log level of the collector no longer exists",
      "Red",
      false,
    ],
    [
      "one forbidden, one ordered",
      "Never restart the mail gateway in production",
      "Restart the mail scheduler in production",
      false,
    ],
    ["one of them says nothing of anything", "The port of the mailer is 8080", "Red", false],
    ["the other says nothing of anything", "Red", "The port of the mailer is 8080", false],
    [
      "a claim and an order",
      "The port of the mailer is 8080",
      "Use 9090 for the port of the importer",
      false,
    ],
    ["one thing", "The port of the mailer is 8080", "The port of the mailer is 9090", false],
    [
      "one of more words",
      "The port of the mailer is 8080",
      "The port of the mailer pump is 9090",
      false,
    ],
    [
      "one of more words, and another one before",
      "The port of the mailer is 8080",
      "The port of the importer pump is 9090",
      false,
    ],
    ["things of one word", "The mailer is 8080", "The importer is 9090", false],
    [
      "things that differ in two words",
      "The port of the mailer is 8080",
      "The host of the importer is 9090",
      false,
    ],
    [
      "identifiers, which may be renamed",
      "The port of mail_x is 8080",
      "The port of import_x is 9090",
      false,
    ],
    [
      "a word and an identifier",
      "The port of mailers is 8080",
      "The port of import_x is 9090",
      false,
    ],
    [
      "an identifier and a word",
      "The port of import_x is 9090",
      "The port of mailers is 8080",
      false,
    ],
    [
      "words of one root",
      "The port of the validator is 8080",
      "The port of the validation is 9090",
      false,
    ],
  ])("%s: %j and %j", (_what, one, other, expected) => {
    expect(areSiblings(normalForm(one), normalForm(other))).toBe(expected);
  });
});
