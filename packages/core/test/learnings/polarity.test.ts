import { expect, test } from "vitest";
import { polarityOf } from "../../src/learnings/polarity.ts";

/** N negative, P prohibits, R retires, M permits. */
const flags = (text: string): string => {
  const { negative, prohibits, retires, permits } = polarityOf(text);
  return `${negative ? "N" : ""}${prohibits ? "P" : ""}${retires ? "R" : ""}${permits ? "M" : ""}`;
};

test.each([
  ["Use tabs, not spaces", ""],
  ["Use tabs instead of spaces", ""],
  ["Mark the job so that nothing is sent twice", ""],
  ['Restart it on the error "did not respond"', ""],
  ["Don't force-push", "NP"],
  ["Branches must not be force-pushed", "NP"],
  ["The linter does not check types", "N"],
  ["The old importer was completely removed", "R"],
  ["A removed key must be logged", ""],
  ["If a key was removed, run the migration", ""],
  ["The gate before merging was removed", "R"],
  ["make docs no longer exists", "NR"],
  ["There is no need to restart", "NR"],
  ["Direct pushes are allowed again", "M"],
  ["It is wrong that uploads are limited", "R"],
  ["Stop adding the number to subjects", "R"],
  ["Stop the server before the migration", ""],
  ["Only the scheduler may write to the queue", ""],
  ["The queue may be written to by everybody", "M"],
  ["Subjects must not be longer than 72 characters", ""],
  ["Functions do not exceed 40 lines", ""],
  ["Subjects must not be empty", "NP"],
  ["Ask the owner before a table is dropped", ""],
  ["Flags are removed after the launch", ""],
  ["The flags were removed after the launch", "R"],
  ["Show the dialog only before something is deleted", ""],
  ["Run not only red but blue", ""],
  ["You must not only run red", ""],
  ["Not only red burns", ""],
  ["Never only run red", "NP"],
  ["Run red no matter what", ""],
  ["There is no doubt that red burns", ""],
  ["Do not doubt red", "NP"],
  ["They always say no", "N"],
  ["Do not print more than red", "NP"],
  ["Do not print more red in 72 runs", "NP"],
  ["Subjects must not exceed 40", ""],
  ["Subjects must not exceed red", "NP"],
  ["None exceeds 40", ""],
  ["Of 40 lines none exceeds red", "N"],
  ["Do not use any other than 40", "NP"],
  ["No red in blue", "NP"],
  ["You never run red", "NP"],
  ["Please avoid red", "NP"],
  ["Red is forbidden", "NP"],
  ["Red is prohibited", "NP"],
  ["Red is disallowed", "NP"],
  ["Red is banned", "NP"],
  ["Nobody runs red", "NP"],
  ["We can nothing burn", "N"],
  ["Red burns not", "N"],
  ["Red can be run", "M"],
  ["Red can now burn", "M"],
  ["Red can again burn", "M"],
  ["You can use red", "M"],
  ["Red can safely burn", "M"],
  ["Red can burn", ""],
  ["Red is now again fine", "M"],
  ["Red is by far the fine one", ""],
  ["All fine is red", ""],
  ["Red may burn, and run blue", "M"],
  ["Red may not burn", "NP"],
])("%s", (text, expected) => {
  expect(flags(text)).toBe(expected);
});

test("what is only said to be absent is told apart from what ended", () => {
  const absent = (text: string): boolean => polarityOf(text).absent;
  expect(["Mocks are not used", "The cache does not exist"].map(absent)).toEqual([true, true]);
  expect(
    ["Mocks are no longer used", "The cache was removed", "Use no mocks", "Use mocks"].map(absent),
  ).toEqual([false, false, false, false]);
});

test.each([
  ["The old importer was completely removed", "the importer"],
  ["We dropped the nightly build", "the nightly build"],
  ["Uploads no longer need a token", "uploads"],
  ["Stop adding the number to subjects", "adding the number to subjects"],
  ["There is no need to restart", "no need to restart"],
  ["Use tabs", ""],
])("%s: gone is %j", (text, expected) => {
  expect(polarityOf(text).gone.join(" ")).toBe(expected);
});
