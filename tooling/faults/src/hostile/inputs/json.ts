import { between, delivery, type Input, type Maker, pick } from "../input.ts";

/**
 * Bodies that a parser may stumble over; all are good deliveries to the receiver, and the core
 * rejects or survives them. One in a hundred is large.
 */
export function oddJson(maker: Maker): Input {
  const { random } = maker;
  const large = random() < 0.01;
  const size = large ? between(random, 1_000_000, 6_000_000) : between(random, 10, 40_000);
  const event = pick(random, ["issues", "issue_comment", "pull_request", "check_run", "status"]);
  const [what, text] = pick(random, [
    ["null", "null"],
    ["a list", "[]"],
    ["a text", '"x"'],
    ["a number", "9007199254740993"],
    ["no JSON", "not json"],
    ["a byte order mark", "\xef\xbb\xbf{}"],
    ["no UTF-8", '{"action":"\xff\xfe\xc0\x80","issue":{}}'],
    ["overlong UTF-8", '{"action":"\xc0\xaf\xe0\x80\xaf"}'],
    [
      "half a surrogate",
      String.raw`{"action":"opened","issue":{"number":1,"title":"\ud800\udc00\ud800","body":"\udfff"}}`,
    ],
    [
      "a key twice",
      '{"action":"opened","action":"closed","sender":{"login":"ada"},"sender":{"login":"mallory"}}',
    ],
    [
      "__proto__",
      '{"__proto__":{"authorized":true,"action":"created"},"constructor":{"prototype":{"x":1}},"action":"created"}',
    ],
    [
      "numbers without end",
      `{"issue":{"number":${"9".repeat(Math.min(size, 5_000))},"id":1e999,"x":-0,"y":1E+400}}`,
    ],
    ["open brackets", "[".repeat(size)],
    ["open braces", '{"a":'.repeat(Math.ceil(size / 5))],
    ["nested to the end", `{"issue":${"[".repeat(size / 2)}${"]".repeat(size / 2)}}`],
    ["a text without end", `{"comment":{"body":"${"x".repeat(size)}`],
    ["escapes without end", `{"comment":{"body":"${"\\u0000".repeat(size / 6)}"}}`],
    [
      "many keys",
      `{${Array.from({ length: Math.ceil(size / 12) }, (_, n) => `"k${n}":${n}`).join(",")}}`,
    ],
    [
      "many labels",
      `{"action":"opened","issue":{"number":1,"labels":[${Array.from({ length: Math.ceil(size / 30) }, (_, n) => `{"name":"label ${n}"}`).join(",")}]}}`,
    ],
    ["blanks", `{${" ".repeat(size)}}`],
    ["a NUL", "\0"],
  ] as const);
  return delivery(maker, {
    kind: "json",
    what: `${what}${large ? `, ${Math.round(size / 1e6)} MB` : ""}`,
    event,
    body: Buffer.from(text, "latin1"),
  });
}
