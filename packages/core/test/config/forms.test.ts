import { describe, expect, test } from "vitest";
import { checkForm, type FormFault } from "../../src/config/form.ts";
import { looksLikeSecret } from "../../src/config/secret.ts";
import type { FormName } from "../../src/config/schema/node.ts";

type Row = {
  readonly form: FormName;
  readonly fits: readonly string[];
  readonly not: readonly string[];
  readonly said: FormFault;
};

const a = (n: number): string => "a".repeat(n);

/**
 * Each form with texts at both sides of its bounds, and what is said about those that do not fit.
 */
const rows: readonly Row[] = [
  {
    form: "text",
    fits: ["x", " ", a(200)],
    not: ["", a(201), "a\nb", "\u0007", "a\u009fb"],
    said: { message: "must be one line of 1 to 200 characters", hint: "write a short name" },
  },
  {
    form: "template",
    fits: ["x", "a\nb\n", a(65_536)],
    not: ["", " \n ", a(65_537)],
    said: {
      message: "must be a text of at most 65,536 characters",
      hint: "remove the key for the built-in one",
    },
  },
  {
    form: "path",
    fits: ["", ".", "~/x y/ä", a(4096)],
    not: [a(4097), "a\nb", "a\u007fb"],
    said: {
      message: "is not a path",
      hint: "write a path relative to the configuration's folder, an absolute one, or one that begins with ~/",
    },
  },
  {
    form: "argument",
    fits: ["", "a\nb", a(131_072)],
    not: [a(131_073)],
    said: {
      message: "is longer than an argument can be",
      hint: "arguments have at most 131,072 characters",
    },
  },
  {
    form: "instance-name",
    fits: ["a", "build-1", a(40)],
    not: ["", "-a", "a-", "A", "a_b", a(41)],
    said: {
      message: "is not an instance name",
      hint: "1 to 40 lower-case letters, digits and inner hyphens, such as build-1",
    },
  },
  {
    form: "login",
    fits: ["a", "A-b.c_d", "a-", "a--b", "a_", "ci-helper[bot]", a(100), `${a(100)}[bot]`],
    not: ["", "a b", "-a", ".a", "a.", "-", "a[bot]x", a(101)],
    said: {
      message: "is not a login",
      hint: "write the login as the code host shows it; a bot with its exact name, such as ci-helper[bot]",
    },
  },
  {
    form: "login",
    fits: [],
    not: ["@ada"],
    said: { message: "is not a login", hint: "write it without @" },
  },
  {
    form: "login",
    fits: [],
    not: ["ada@"],
    said: {
      message: "is not a login",
      hint: "write the login as the code host shows it; a bot with its exact name, such as ci-helper[bot]",
    },
  },
  {
    form: "repository",
    fits: ["acme/widgets", "a/b.c"],
    not: [
      "",
      "acme",
      "acme/",
      "/widgets",
      "acme/widgets/x",
      "acme/widgets/",
      "ac me/widgets",
      "acme/..",
      "a.b/c d",
    ],
    said: { message: "is not a repository", hint: "write owner/name" },
  },
  {
    form: "domain",
    fits: ["code.example", "Code.Example"],
    not: ["", "https://code.example", "code.example/x", "a b"],
    said: {
      message: "is not a domain",
      hint: "write the domain alone, without https:// and without a path",
    },
  },
  {
    form: "bind-host",
    fits: ["127.0.0.1", "localhost", "::", "::1", "[::1]"],
    not: ["", "a b", "http://x", "[::1", "-a"],
    said: {
      message: "is not an interface or IP",
      hint: "127.0.0.1 is reachable from this machine only",
    },
  },
  {
    form: "url-path",
    fits: ["/", "/host-webhook", "/a/B_0.~-"],
    not: ["", "a", "/a b", "/a?b", `/${a(201)}`],
    said: {
      message: "is not a path of a URL",
      hint: "begin with / and use letters, digits and . _ ~ / -",
    },
  },
  {
    form: "web-url",
    fits: ["http://a", "https://host.example:8443/api/v3", "https://[::1]/"],
    not: ["", "ftp://a", "https://me:pass@host", "https://a b", "xhttps://a"],
    said: {
      message: "is not an http or https URL without a login inside",
      hint: "such as https://host.example/api/v3",
      secret: true,
    },
  },
  {
    form: "store-url",
    fits: ["sqlite:x", "sqlite:/a/b.db", `sqlite:${a(4088)}`],
    not: [
      "",
      "x",
      "sqlite:",
      `sqlite:${a(4089)}`,
      "sqlite:a\nb",
      "mysql:x",
      "xsqlite:y",
      "my-postgresql:",
      `${a(8)}:`,
    ],
    said: { message: "is not a store URL", hint: "write sqlite:<path>, or remove the key" },
  },
  {
    form: "store-url",
    fits: [],
    not: ["postgres://loop:pw@db/loop", "postgresql://db/loop", "postgres:", "postgresql:"],
    said: {
      message: "must not hold a PostgreSQL URL, which contains a password",
      hint: "put the URL into a variable and name that in store.urlEnv",
      secret: true,
    },
  },
  {
    form: "ref",
    fits: ["host:acme/widgets#7"],
    not: ["", "acme/widgets#7", "#7"],
    said: {
      message: "is not a ref",
      hint: "write host:<owner>/<repo>#<number>, or host:<domain>/<owner>/<repo>#<number> on another host than the default one",
    },
  },
  {
    form: "label",
    fits: ["x", "loop: go", a(100)],
    not: ["", "  ", a(101), "a\nb"],
    said: { message: "is not a label", hint: "labels have 1 to 100 characters" },
  },
  {
    form: "keyword",
    fits: ["", "a", "loop start", "a b c d", a(32)],
    not: [" ", "a  b", "a b c d e", "-a", "a\nb", a(33)],
    said: {
      message: "cannot be a keyword",
      hint: 'one to four words of letters, digits, - and _ with one blank between, or "" to disable it',
    },
  },
  {
    form: "tool",
    fits: ["make", "g++", "python3.12"],
    not: ["", "npm test", "/bin/sh", "-x", a(65)],
    said: {
      message: "is not the name of a program",
      hint: "write the name alone, without arguments, such as make",
    },
  },
  {
    form: "variable",
    fits: ["LOOP_TOKEN", "secret", "Q"],
    not: ["", "a b", "A-B", "s3cret", "1A"],
    said: {
      message:
        "must be the NAME of an environment variable; what stands there looks like a secret and is not shown",
      hint: "export the secret as a variable such as LOOP_HOST_TOKEN and write that name; replace the secret, it was in a file",
      secret: true,
    },
  },
];

describe.each(rows)("form $form: $said.hint", ({ form, fits, not, said }) => {
  test.each(fits)("takes %j", (text) => expect(checkForm(form, text)).toBeNull());
  test.each(not)("refuses %j", (text) => expect(checkForm(form, text)).toEqual(said));
  test("refuses a NUL character by name", () =>
    expect(checkForm(form, "a\0b")).toEqual({
      message: "contains a NUL character",
      hint: "remove it",
    }));
});

test.each<readonly [why: string, text: string, secret: boolean]>([
  ["words joined by underscores are a name, up to 64 characters", `A_${a(62)}`, false],
  ["and longer ones are not", `A_${a(63)}`, true],
  ["digits and small letters in one word are none", "abc1", true],
  ["digits among capitals may be, in short words", "A1".repeat(9) + "B", false],
  ["and are none from 20 characters on", "A1".repeat(10), true],
  ["20 capitals are a name", "A".repeat(20), false],
  ["letters alone are a name up to 40 characters", a(40), false],
  ["and longer ones are not", a(41), true],
  ["what begins like a known token is none", "ghp_x", true],
  ["what ends like one may be", "x_ghp_", false],
])("a variable's name: %s", (_, text, secret) => expect(looksLikeSecret(text)).toBe(secret));
