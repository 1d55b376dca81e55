import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Chars, createRedactor, type Secret } from "../../src/audit/redact.ts";

const of = (...values: readonly string[]): readonly Secret[] => values.map((value, i) => ({ name: `S${i}`, value }));
const redact = (text: string, ...values: readonly string[]): string => createRedactor(of(...values))(text);

describe("P17 our own secrets by exact value", () => {
  test.each([
    ["alone", "hunter-two", "[redacted S0]"],
    ["within text", "key=hunter-two;", "key=[redacted S0];"],
    ["several times, side by side", "hunter-twohunter-two", "[redacted S0][redacted S0]"],
    ["not there", "hunter-tow", "hunter-tow"],
  ])("%s", (_, text, expected) => expect(redact(text, "hunter-two")).toBe(expected));

  test("as they stand in JSON and in URLs", () => {
    const value = 'a"b c/d&e';
    expect(redact(JSON.stringify({ value }), value)).toBe('{"value":"[redacted S0]"}');
    expect(redact(`https://x.example/?k=${encodeURIComponent(value)}`, value)).toBe("https://x.example/?k=[redacted S0]");
  });

  test("one that begins like another, one within another, two that overlap", () => {
    expect(redact("secret-longer secret-long", "secret-long", "secret-longer")).toBe("[redacted S1] [redacted S0]");
    expect(redact("xabcdefghx", "cdefgh", "abcdefgh")).toBe("x[redacted S1]x");
    expect(redact("abcdefghijkl", "abcdefgh", "efghijkl")).toBe("[redacted S0]");
    expect(redact("xabcdefz", "xabcdefy", "abcdef")).toBe("x[redacted S1]z");
    expect(redact("abcabcabdabc", "abcabd")).toBe("abc[redacted S0]abc");
  });

  test("and what has the shape of a token beside them, each in its place", () => {
    const token = `gh${"p_"}${"aB3".repeat(12)}`;
    expect(redact(`hunter-two ${token} hunter-two ${token}`, "hunter-two")).toBe("[redacted S0] [redacted] [redacted S0] [redacted]");
    expect(redact(`${token} hunter-two`, "hunter-two")).toBe("[redacted] [redacted S0]");
  });

  test("values shorter than six characters would hide ordinary words and are left", () => {
    expect(redact("the word", "the", "")).toBe("the word");
  });
});

describe("P17 what has the shape of a token", () => {
  const run = (length: number): string => "aB3".repeat(Math.ceil(length / 3)).slice(0, length);
  test.each([
    ["a personal token", `t: gh${"p_"}${run(36)}.`, "t: [redacted]."],
    ["a fine-grained one", `github${"_pat_"}${run(22)}_${run(59)}`, "[redacted]"],
    ["an API key", `"sk${"-ant-"}${run(30)}"`, '"[redacted]"'],
    ["a cloud key", `AK${"IA"}ABCDEFGHIJKLMNOP`, "[redacted]"],
    ["a chat token", `xo${"xb-"}123456789012-${run(20)}`, "[redacted]"],
    ["a bearer header", `Authorization: Bearer ${run(24)}`, "Authorization: Bearer [redacted]"],
    ["a web token", `ey${"J"}${run(20)}.${run(30)}.${run(40)} x`, "[redacted] x"],
    ["a login in a URL", "postgres://loop:pa55@db.example/x", "postgres://[redacted]@db.example/x"],
    ["a private key", "a -----BEGIN RSA PRIVATE KEY-----\nMIIE\nxyz\n-----END RSA PRIVATE KEY----- b", "a [redacted] b"],
    ["a private key without an end", "a -----BEGIN PRIVATE KEY-----\nMIIE", "a [redacted]"],
  ])("%s", (_, text, expected) => expect(redact(text)).toBe(expected));

  test.each(["task-management-for-everybody-here", "ghp_short", "ask-someone-else-about-this-please", "https://code.example/acme/widgets/pull/7", "ssh://git@code.example/x", "user@example.org: hello", "Bearer of bad news", "eyJust a word", "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----", "0123456789abcdef0123456789abcdef01234567"])("%j is left as it is", (text) => expect(redact(text)).toBe(text));
});

describe("for any text and any secrets", () => {
  const secret = fc.string({ unit: fc.constantFrom("a", "b", "c", "%", '"'), minLength: 6, maxLength: 12 });
  const text = fc.array(fc.oneof(fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "%") }), fc.constantFrom("sk-", "://", "@", "eyJ", ".", "-----BEGIN ", "PRIVATE KEY-----"))).map((parts) => parts.join(""));

  test("no secret is left, a second pass finds nothing, and what is not secret stays", () => {
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 4 }), text, fc.array(fc.nat(), { maxLength: 4 }), (values, plain, places) => {
        const full = places.reduce((sum, place, i) => {
          const at = place % (sum.length + 1);
          return sum.slice(0, at) + (values[i % values.length] ?? "") + sum.slice(at);
        }, plain);
        const redactor = createRedactor(of(...values));
        const out = redactor(full);
        for (const value of values) expect(out).not.toContain(value);
        expect(redactor(out)).toBe(out);
        const kept = out.split(/\[redacted(?: S[0-9])?\]/);
        let from = 0;
        for (const part of kept) {
          const at = full.indexOf(part, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + part.length;
        }
      }),
      { numRuns: 1000 },
    );
  });
});

/** A text that counts how often one of its characters is looked at. */
function counted(text: string): Chars & { looks: number } {
  return {
    looks: 0,
    length: text.length,
    charCodeAt(i) {
      this.looks += 1;
      return text.charCodeAt(i);
    },
    slice: (from, to) => text.slice(from, to),
  };
}

describe("looks at characters in proportion to the text (P14)", () => {
  test.each([
    ["blanks", " "],
    ["beginnings of keys", "sk-"],
    ["beginnings of keys with breaks", "sk-\n"],
    ["beginnings of web tokens", "eyJ"],
    ["beginnings of web tokens with hyphens", "eyJ-"],
    ["first parts of web tokens", "eyJabcdefgh."],
    ["beginnings of private keys", "-----BEGIN "],
    ["headers of private keys", "-----BEGIN RSA PRIVATE KEY-----"],
    ["URLs", "://"],
    ["logins without an end", "://a:b"],
    ["colons", ":"],
    ["hyphens", "-"],
    ["bearers", "Bearer "],
    ["a secret but for its end", "aaaaaaaaaaaaaaaaaaab"],
  ])("%s", (_, unit) => {
    const redactor = createRedactor(of("a".repeat(40), `${"a".repeat(39)}c`));
    const looksFor = (length: number): number => {
      const text = counted(unit.repeat(Math.ceil(length / unit.length)).slice(0, length));
      redactor(text);
      return text.looks;
    };
    const small = looksFor(16_384);
    const large = looksFor(65_536);
    expect(large / small).toBeLessThan(4.2);
    expect(large / 65_536).toBeLessThan(20);
  });
});
