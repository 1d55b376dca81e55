import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Chars, createRedactor, type Secret } from "../../src/redaction/redact.ts";

const of = (...values: readonly string[]): readonly Secret[] =>
  values.map((value, i) => ({ name: `S${i}`, value }));
const redact = (text: string, ...values: readonly string[]): string =>
  createRedactor(of(...values))(text);

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
    expect(redact(`https://x.example/?k=${encodeURIComponent(value)}`, value)).toBe(
      "https://x.example/?k=[redacted S0]",
    );
  });

  const value = "p^ss/w ö+d=ÿ";
  const all = (text: string, byte: (code: string) => string): string =>
    encodeURIComponent(text).replaceAll(/%..|./gu, (each) =>
      byte(each.length === 3 ? each : `%${each.charCodeAt(0).toString(16)}`),
    );
  test.each([
    ["as URLs do", encodeURIComponent(value)],
    ["in lower case", encodeURIComponent(value).toLowerCase()],
    ["in mixed case", encodeURIComponent(value).replace("%2F", "%2f")],
    ["as whole addresses are", encodeURI(value)],
    ["with every character", all(value, (each) => each)],
    ["with every character in lower case", all(value, (each) => each.toLowerCase())],
    ["twice", encodeURIComponent(encodeURIComponent(value))],
    ["as forms do", new URLSearchParams({ a: value }).toString().slice(2)],
    [
      "as forms do, in lower case",
      new URLSearchParams({ a: value }).toString().slice(2).toLowerCase(),
    ],
    ["in base64", Buffer.from(value).toString("base64")],
    ["in base64 for URLs", Buffer.from(value).toString("base64url")],
    ["in base64, escaped", encodeURIComponent(Buffer.from(value).toString("base64"))],
    ["in HTML", "p^ss/w ö+d=ÿ"],
  ])("encoded %s", (_, encoded) => {
    expect(redact(`https://x.example/?k=${encoded}&z`, value)).toBe(
      "https://x.example/?k=[redacted S0]&z",
    );
  });

  test.each(["x", "xy", "xyz", "x-access-token:"])("in base64 behind %j", (before) => {
    for (const behind of ["", "a", "ab"]) {
      const header = Buffer.from(`${before}${value}${behind}`).toString("base64");
      const shown = redact(`Basic ${header}`, value);
      expect(shown).toContain("[redacted S0]");
      const left = shown.replace("Basic ", "").replace("[redacted S0]", "");
      // At each end one character may stand for bits of the secret and of what is beside it.
      expect(left.length).toBeLessThanOrEqual(header.length - Buffer.from(value).length);
    }
  });

  test.each([
    ["as it stands in the URL", "postgres://u:h%40rbour-7@h/d", "h%40rbour-7"],
    ["as it is meant", "postgres://u:h%40rbour-7@h/d", "h@rbour-7"],
    ["in the other case of its digits", "postgres://u:h%3Frbour-7@h/d", "h%3frbour-7"],
    ["without a user", "postgres://:harbour-7@h/d", "harbour-7"],
    ["with signs that a URL asks to encode", "postgres://u:har^bour|7@h/d", "har^bour|7"],
    ["with what no URL may hold", "postgres://u:har/bo?u#r7@h/d", "har/bo?u#r7"],
    ["with an @ in it", "postgres://u:har@bour-7@h/d", "har@bour-7"],
    ["with a sign of percent", "postgres://u:50%harbour@h/d", "50%harbour"],
    ["for several hosts", "postgres://u:harbour-7@h1:1,h2:2/d", "harbour-7"],
    ["in a parameter", "postgres://h/d?user=u&password=har%26bour-7", "har&bour-7"],
    ["of a key, in a parameter", "postgres://h/d?sslpassword=harbour-7", "harbour-7"],
    ["in words and values", "host=h password=harbour-7 dbname=d", "harbour-7"],
    ["in quoted values", "host=h password = 'har bour\\'7' dbname=d", "har bour'7"],
    ["of a proxy", "https://u:harbour-7@h", "harbour-7"],
    ["that is a user alone", "https://harbour-77@h", "harbour-77"],
  ])("the password inside of an address, %s", (_, address, password) => {
    expect(redact(`failed for "${password}"!`, address)).toBe('failed for "[redacted S0]"!');
    const encoded = encodeURIComponent(password);
    expect(redact(`failed for ${encoded}`, address)).toBe("failed for [redacted S0]");
  });

  test("the name of a user, a host and a database are no secrets", () => {
    const told = "no database garden-db for gardener at db.garden.example";
    expect(redact(told, "postgres://gardener:harbour-7@db.garden.example/garden-db")).toBe(told);
  });

  test("one that begins like another, one within another, two that overlap", () => {
    expect(redact("secret-longer secret-long", "secret-long", "secret-longer")).toBe(
      "[redacted S1] [redacted S0]",
    );
    expect(redact("xabcdefghx", "cdefgh", "abcdefgh")).toBe("x[redacted S1]x");
    expect(redact("abcdefghijkl", "abcdefgh", "efghijkl")).toBe("[redacted S0]");
    expect(redact("xabcdefz", "xabcdefy", "abcdef")).toBe("x[redacted S1]z");
    expect(redact("abcabcabdabc", "abcabd")).toBe("abc[redacted S0]abc");
  });

  test("and what has the shape of a token beside them, each in its place", () => {
    const token = `gh${"p_"}${"aB3".repeat(12)}`;
    expect(redact(`hunter-two ${token} hunter-two ${token}`, "hunter-two")).toBe(
      "[redacted S0] [redacted] [redacted S0] [redacted]",
    );
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
    [
      "a private key",
      "a -----BEGIN RSA PRIVATE KEY-----\nMIIE\nxyz\n-----END RSA PRIVATE KEY----- b",
      "a [redacted] b",
    ],
    ["a private key without an end", "a -----BEGIN PRIVATE KEY-----\nMIIE", "a [redacted]"],
  ])("%s", (_, text, expected) => expect(redact(text)).toBe(expected));

  test.each([
    "task-management-for-everybody-here",
    "ghp_short",
    "ask-someone-else-about-this-please",
    "https://code.example/acme/widgets/pull/7",
    "ssh://git@code.example/x",
    "user@example.org: hello",
    "Bearer of bad news",
    "eyJust a word",
    "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
    "0123456789abcdef0123456789abcdef01234567",
  ])("%j is left as it is", (text) => expect(redact(text)).toBe(text));
});

describe("for any text and any secrets", () => {
  const secret = fc.string({
    unit: fc.constantFrom("a", "b", "c", "%", '"'),
    minLength: 6,
    maxLength: 12,
  });
  const text = fc
    .array(
      fc.oneof(
        fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "%") }),
        fc.constantFrom("sk-", "://", "@", "eyJ", ".", "-----BEGIN ", "PRIVATE KEY-----"),
      ),
    )
    .map((parts) => parts.join(""));

  test("no secret is left, a second pass finds nothing, and what is not secret stays", () => {
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 4 }),
        text,
        fc.array(fc.nat(), { maxLength: 4 }),
        (values, plain, places) => {
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
        },
      ),
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
