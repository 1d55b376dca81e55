import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { joinMessages, type Message, person, say } from "../../src/message/message.ts";
import { outside } from "../../src/message/outside-text.ts";
import { codeSpan, formatPost } from "../../src/message/post.ts";
import { formatPlain, plainLine } from "../../src/message/plain.ts";
import { beginQuotes } from "../../src/message/quotes.ts";

test("text from outside is of no use but to the functions that quote it", () => {
  const text = outside("secret words");
  const { a }: { readonly a: unknown } = JSON.parse(JSON.stringify({ a: text }));
  expect([
    String(text),
    `${text}`,
    a,
    JSON.stringify(say`x ${text}`),
    String(say`x ${text}`),
  ]).toEqual(["[outside text]", "[outside text]", "[outside text]", '"[message]"', "[message]"]);
  // @ts-expect-error -- a string is not known to be ours
  expect(formatPost(say`${"a title"}`)).toBe("a title");
  // @ts-expect-error -- nor is one a text that may be posted
  const post: ReturnType<typeof formatPost> = "words";
  expect(post).toBe("words");
});

test.each([
  ["a comment", (message: Message) => formatPost(message), "The check `a'b\\n@x` failed 3 times."],
  [
    "a plain line",
    (message: Message) => formatPlain(message),
    'The check "a`b\\n@x" failed 3 times.',
  ],
  [
    "a prompt",
    (message: Message) => beginQuotes().words(message),
    "The check [quoted 1] failed 3 times.",
  ],
])("%s shows a message in its own way", (_, format, shown) => {
  expect(
    format(joinMessages([say`The check ${outside("a`b\n@x")} failed`, say`${3} times.`], say` `)),
  ).toBe(shown);
});

test("a quoted text is bounded, and an empty one is named", () => {
  expect([
    codeSpan(""),
    codeSpan(" "),
    codeSpan("x".repeat(300)).length,
    formatPlain(say`${outside("x".repeat(600))}`).length,
  ]).toEqual(["(empty)", "(empty)", 203, 503]);
});

test("escaping a plain line twice changes nothing", () => {
  const once = plainLine("a\n\u001b[31m\u202e\\n");
  expect(once).toBe("a\\n\\u001b[31m\\u202e\\n");
  expect(plainLine(once)).toBe(once);
});

test("a login is a mention, and whatever else stands in its place is quoted", () => {
  expect(
    ["ada", "bo--x", "helper[bot]", "x) @team", ""].map((login) => formatPost(person(login))),
  ).toEqual(["@ada", "@bo--x", "@helper[bot]", "`x) @team`", "(empty)"]);
});

/** What can make words of ours, or a post, out of any string: each place was looked at. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "OutsideText.read(": ["core/src/message/shown.ts"],
  "Message.read(": ["core/src/message/message.ts", "core/src/message/shown.ts"],
  "new Message(": ["core/src/message/message.ts"],
  "trustedWords(": [
    "core/src/decide/command-feedback.ts",
    "core/src/decide/foreign-pull-request.ts",
    "core/src/graph/gate-announcement.ts",
    "core/src/graph/progress.ts",
    "core/src/graph/task.ts",
    "core/src/message/message.ts",
    "core/src/turn/move-on.ts",
    "core/src/turn/retry.ts",
    "runtime/src/turn/gate.ts",
    "runtime/src/turn/sandbox.ts",
    "runtime/src/turn/settle.ts",
  ],
  "verbatimPost(": [
    "cli/src/commands/comment.ts",
    "core/src/canary/canary-delivery.ts",
    "core/src/message/post.ts",
    "store/src/contract/build.ts",
  ],
  "sealed(": ["cli/src/start/open.ts", "codehost/src/marker.ts", "core/src/message/post.ts"],
  "brand(": [
    "core/src/message/plain.ts",
    "core/src/message/post.ts",
    "core/src/message/prompt-text.ts",
    "core/src/own-writing/agent-post.ts",
    "core/src/ref/ref.ts",
  ],
  "prompt: await renderTurn(": ["runtime/src/turn/plan.ts"],
  ".promptAt(place)": ["runtime/src/graph/ask-harness.ts"],
  "[data ${": ["core/src/message/prompt-text.ts"],
  "promptText(": [
    "cli/src/hook/answer.ts",
    "cli/src/start/session-terminals.ts",
    "core/src/graph/critic-prompt.ts",
    "core/src/learnings/inject.ts",
    "core/src/learnings/question.ts",
    "core/src/message/prompt-text.ts",
    "core/src/testing/adapter/conversations.ts",
    "core/src/testing/adapter/hooks.ts",
    "core/src/testing/adapter/row.ts",
    "core/src/turn/after-work-gate.ts",
    "core/src/turn/prompt.ts",
    "harness-a/src/receipt-proof.ts",
    "harness-a/src/terminal/driver-input.ts",
  ],
  "as PromptText": [],
  "as PostText": [],
  "as PlainText": [],
};

const packages = join(import.meta.dirname, "..", "..", "..");
const sources: ReadonlyMap<string, string> = new Map(
  globSync("*/src/**/*.{ts,tsx}", { cwd: packages }).map((file) => [
    file.replaceAll("\\", "/"),
    readFileSync(join(packages, file), "utf8"),
  ]),
);

test.each(Object.entries(allowed))("%s stands only where it was looked at", (call, files) => {
  const found = [...sources].filter(([, text]) => text.includes(call)).map(([file]) => file);
  expect(found.toSorted()).toEqual(files);
});
