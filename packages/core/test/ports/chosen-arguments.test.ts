import { expect, test } from "vitest";
import { chosenArguments } from "../../src/ports/chosen-arguments.ts";

const flags: ReadonlySet<string> = new Set(["--model", "--effort"]);

test("of an operator's arguments those that are asked for are taken with their values, joined or not, and no others", () => {
  expect(
    chosenArguments(["--verbose", "--model", "opus", "--add-dir", "/x", "--effort=high"], flags),
  ).toEqual(["--model", "opus", "--effort", "high"]);
  expect(chosenArguments(["--model=provider=x/y"], flags)).toEqual(["--model", "provider=x/y"]);
  expect(chosenArguments(["--models", "a", "--add-dir=--model"], flags)).toEqual([]);
});

test("one without a value is left out", () => {
  expect(chosenArguments(["--effort", "low", "--model"], flags)).toEqual(["--effort", "low"]);
  expect(chosenArguments([], flags)).toEqual([]);
  expect(chosenArguments(["=x", "y"], new Set(["=x"]))).toEqual([]);
});
