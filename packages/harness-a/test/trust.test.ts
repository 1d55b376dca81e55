import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bypassKey, patchTrust, trustKeys } from "../src/trust.ts";

const key = trustKeys(["/w/one"]);

function patched(text: string): string {
  const patch = patchTrust(text, key);
  if (patch.kind !== "patched") throw new Error(`not patched: ${JSON.stringify(patch)}`);
  return patch.text;
}

describe("patchTrust", () => {
  test("puts the key into a file as the harness writes it, in its style, and touches nothing else", () => {
    const text = `{\n  "userID": "x",\n  "projects": {\n    "/other": {\n      "allowedTools": [],\n      "hasTrustDialogAccepted": false\n    }\n  },\n  "last": 1\n}\n`;
    expect(patched(text)).toBe(
      `{\n  "userID": "x",\n  "projects": {\n    "/other": {\n      "allowedTools": [],\n      "hasTrustDialogAccepted": false\n    },\n    "/w/one": {\n      "hasTrustDialogAccepted": true\n    }\n  },\n  "last": 1\n}\n`,
    );
  });

  test.each([
    ["{}", '{"projects":{"/w/one":{"hasTrustDialogAccepted":true}}}'],
    ["{}\n", '{"projects":{"/w/one":{"hasTrustDialogAccepted":true}}}\n'],
    ['{"a":1}', '{"a":1,"projects":{"/w/one":{"hasTrustDialogAccepted":true}}}'],
    ['{"projects":{}}', '{"projects":{"/w/one":{"hasTrustDialogAccepted":true}}}'],
    [
      '{ "projects" : { "/w/one" : { "hasTrustDialogAccepted" : false } } }',
      '{ "projects" : { "/w/one" : { "hasTrustDialogAccepted" : true } } }',
    ],
    [
      '{\n\t"a": 1\n}',
      '{\n\t"a": 1,\n\t"projects": {\n\t\t"/w/one": {\n\t\t\t"hasTrustDialogAccepted": true\n\t\t}\n\t}\n}',
    ],
    [
      '{\r\n  "projects": {}\r\n}',
      '{\r\n  "projects": {\r\n    "/w/one": {\r\n      "hasTrustDialogAccepted": true\r\n    }\r\n  }\r\n}',
    ],
    [
      '{"projects":{"/w/one":{"hasTrustDialogAccepted":"yes","n":1e400}}}'.replace(
        "1e400",
        "12345678901234567890",
      ),
      '{"projects":{"/w/one":{"hasTrustDialogAccepted":true,"n":12345678901234567890}}}',
    ],
  ])("%j becomes %j", (text, expected) => {
    expect(patched(text)).toBe(expected);
  });

  test("comments stay where they are, byte for byte", () => {
    const text = `// mine\n{\n  "a": 1, // one\n  /* two */ "projects": { // three\n    "/x": {} // four\n    /* five */\n  }\n}\n// end`;
    expect(patched(text)).toBe(
      `// mine\n{\n  "a": 1, // one\n  /* two */ "projects": { // three\n    "/x": {}, // four\n    /* five */\n    "/w/one": {\n      "hasTrustDialogAccepted": true\n    }\n  }\n}\n// end`,
    );
  });

  test("already set: nothing to write", () => {
    expect(patchTrust('{"projects":{"/w/one":{"hasTrustDialogAccepted": true}}}', key)).toEqual({
      kind: "already",
    });
    expect(patchTrust('{"skipDangerousModePermissionPrompt":true}', [bypassKey])).toEqual({
      kind: "already",
    });
  });

  test("names what it wrote, and only that", () => {
    expect(
      patchTrust(
        '{"projects":{"/w/one":{"hasTrustDialogAccepted":true}}}',
        trustKeys(["/w/one", "/w/two", "/w/two"]),
      ),
    ).toMatchObject({ keys: ["projects > /w/two > hasTrustDialogAccepted"] });
  });

  test.each([
    ["empty", ""],
    ["blank", " \n"],
    ["cut off", '{"projects": {'],
    ["byte order mark", "\uFEFF{}"],
    ["array at the top", "[]"],
    ["text at the top", '"x"'],
    ["null at the top", "null"],
    ["two values", "{} {}"],
    ["a name twice", '{"projects":{},"projects":{}}'],
    ["a name twice, spelled differently", '{"a":{"x":1,"\\u0078":2}}'],
    ["a comma too many", '{"a":1,}'],
    ["single quotes", "{'a':1}"],
    ["a name without quotes", "{a:1}"],
    ["NaN", '{"a":NaN}'],
    ["a string over a line end", '{"a":"\n"}'],
    ["an open comment", '{"a":1} /* '],
    ["projects is no object", '{"projects":[]}'],
    ["the project is no object", '{"projects":{"/w/one":true}}'],
    ["deep nesting", `{"a":${"[".repeat(300)}${"]".repeat(300)}}`],
  ])("T01: %s is refused", (_name, text) => {
    expect(patchTrust(text, key)).toMatchObject({ kind: "refused" });
  });

  test("T04: any path is one key, exactly", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "binary" }), (directory) => {
        const patch = patchTrust('{"projects":{"/other":{"a":1}}}', trustKeys([directory]));
        if (patch.kind !== "patched") throw new Error("patched");
        const parsed: { projects: Record<string, unknown> } = JSON.parse(patch.text);
        expect(Object.getOwnPropertyDescriptor(parsed.projects, directory)?.value).toEqual({
          hasTrustDialogAccepted: true,
        });
      }),
    );
  });

  test("T03: of any JSON object only the key changes, every other byte stays, and it is set the second time", () => {
    const anyObject = fc
      .dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
      .filter((value) => !("projects" in value));
    fc.assert(
      fc.property(
        anyObject,
        fc.constantFrom(undefined, 1, 2, "\t"),
        fc.boolean(),
        (value, indent, crlf) => {
          const made = JSON.stringify(value, null, indent);
          const text = crlf ? made.replaceAll("\n", "\r\n") : made;
          const after = patched(text);
          expect(JSON.parse(after)).toEqual({
            ...JSON.parse(text),
            projects: { "/w/one": { hasTrustDialogAccepted: true } },
          });
          const same = commonPrefix(text, after);
          expect(after.endsWith(text.slice(same))).toBe(true);
          expect(patchTrust(after, key)).toEqual({ kind: "already" });
        },
      ),
    );
  });
});

function commonPrefix(one: string, two: string): number {
  let at = 0;
  while (at < one.length && one[at] === two[at]) at += 1;
  return at;
}
