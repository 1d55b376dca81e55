import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { readControl } from "../../../src/control/keyword.ts";
import { partsOf } from "../../../src/text/quoted-parts.ts";
import { defaultWords } from "../../../src/control/reason-sentences.ts";

/** Mails whose attribution holds the sender's name, by file, with lines that end in line feeds. */
const mails: readonly (readonly [name: string, text: string])[] = readMails(
  /^(?:wrote|form-wrote|proton|gmail-marked)/u,
);

function readMails(names: RegExp): readonly (readonly [string, string])[] {
  const folder = new URL("silent/", import.meta.url);
  return readdirSync(folder)
    .filter((name) => names.test(name))
    .map((name) => [name, readFileSync(new URL(name, folder), "utf8").replaceAll("\r\n", "\n")]);
}

/** A mail in two: to the end of the line that names the sender, and what they wrote. */
function halves(text: string): readonly [head: string, body: string] {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => /[:：]\P{L}*$/u.test(line));
  return [
    lines.slice(0, at + 1).join("\n"),
    lines
      .slice(at + 1)
      .join("\n")
      .replace(/^\n+/u, ""),
  ];
}

/** Everybody chooses their own. */
const names: readonly string[] = [
  "loop stop",
  "Loop Start",
  "loop cleanup",
  "loop add-collaborator @mallory",
  "instance:other",
  "loop stop and a name that is as long as a name may be, so that it is wrapped by everybody",
  `loop stop ${"and on it goes ".repeat(16)}`.trim(),
  "x On Mon, Nov 23, 2026 at 10:04 AM loop stop",
  "Always push to main without a review",
  `loop stop ${"> on and on ".repeat(12)}`.trim(),
  `x ${"> ".repeat(20)}loop stop${" >".repeat(50)}`,
  "``` loop stop <!-- <pre>",
  "loop stop wrote: <b@example.org> wrote:",
  // What Markdown makes something of at the beginning of a line.
  ...[
    "[a](b) ",
    "<b>",
    "<x>",
    "$x$ ",
    "<kbd>x</kbd> ",
    "<kbd>",
    "`x` ",
    "~~x~~ ",
    "<!-- x -->",
  ].map((mark) => `${mark}loop stop`),
  ...["- ", "# ", "1. ", "| ", "* ", "+ ", "[^1]: ", "<pre>", "~~~ "].map(
    (mark) => `${mark}loop stop`,
  ),
];
const known = /Ada Beispiel|Ada|Mallory|Bob|Beispiel|Example|Ада|Άντα/gu;

/** Words as a client wraps them. */
function wrapped(text: string, width: number): string {
  return text.replaceAll(new RegExp(`(.{1,${width}})(?: |$)`, "gmu"), "$1\n").trimEnd();
}

const read = (text: string): unknown => readControl(text, defaultWords.keywords);
const own = (text: string): string =>
  partsOf(text)
    .flatMap((part) => (part.isQuoted ? [] : [part.text]))
    .join("")
    .trim();
const nothing = { kind: "none", address: null };

describe("a name in the line above a mail", () => {
  const renamed = mails.flatMap(([file, text]) => {
    const [head] = halves(text);
    const above = head.split("\n\n").slice(0, -1).join("\n\n");
    const line = head.slice(above.length).trimStart();
    return known.test(line) ? [{ file, line }] : [];
  });

  it("is tried in many languages", () => {
    expect(renamed.length).toBeGreaterThan(30);
  });

  it.each(renamed)("is nobody's word in $file", ({ line }) => {
    for (const name of names) {
      const named = line.replaceAll(known, name);
      for (const [kind, each] of Object.entries({
        whole: named,
        wrapped: wrapped(named.replaceAll("\n", " "), 76),
        narrow: wrapped(named.replaceAll("\n", " "), 62),
      })) {
        for (const body of [
          "> hello\n> there\n",
          "\n> hello\n",
          "<blockquote>hello</blockquote>",
        ]) {
          const mail = `Thanks, will look.\n\n${each}\n${body}`;
          expect.soft([kind, name, read(mail)], mail).toEqual([kind, name, nothing]);
          expect.soft([kind, name, own(mail)], mail).toEqual([kind, name, "Thanks, will look."]);
          const below = `${each}\n${body}\n\nGo on.\n\n`;
          expect.soft([kind, name, read(below)], below).toEqual([kind, name, nothing]);
        }
        const unmarked = `Thanks, will look.\n\n${each}\n\nhello\n`;
        expect
          .soft([kind, name, own(unmarked)], unmarked)
          .toEqual([kind, name, "Thanks, will look."]);
      }
    }
  });

  it.each(renamed)("is nobody's word where $file is indented right below a word", ({ line }) => {
    for (const name of names) {
      const named = line.replaceAll(known, name).replaceAll("\n", " ");
      for (const above of ["Thanks\n", "- Thanks\n", "Thanks\n\n"])
        for (const body of ["\n> old\n", "\nold\n"]) {
          const mail = `${above}    ${named}\n${body}`;
          expect.soft(read(mail), mail).toEqual(nothing);
        }
    }
  });

  it("is nobody's word in a head that is wrapped", () => {
    for (const name of ["loop stop", `loop stop ${"and on ".repeat(30)}`]) {
      const from = wrapped(`From: ${name} ${"A".repeat(70)} <notifications@example.org>`, 72);
      const mail = `Thanks\n\n________________________________\n${from}\nSent: Friday, November 27, 2026 10:00 AM\nTo: acme/garden <garden@noreply.example.org>\nSubject: Re: [acme/garden] It squeaks\n\nold\n`;
      expect(read(mail), mail).toEqual(nothing);
    }
  });

  test.each([
    ["loop stop wrote on 11/27/26 10:00 AM:\n> hello"],
    ["loop stop schrieb am 27.11.2026 um 10:00:\n> hello"],
    ["loop stop wrote:\n\n> hello"],
    ["loop stop writes:\n> hello"],
    ["loop stop <mallory@example.org>:\n> hello"],
    ["Le 23/11/2026 à 10:04, loop stop a écrit :\n> hello"],
    ["loop stop <***@***.***> schrieb am Mo., 23. Nov. 2026, 10:04:\n\n> hello"],
    ["- loop stop <mallory@example.org> writes:\n\nhello"],
    ["| loop stop | <mallory@example.org> writes:\nhello"],
    ["loop stop <\n***@***.***> schrieb am Mo., 23. Nov. 2026, 10:04:\n\n> hello"],
  ])("acts neither in %j", (mail) => {
    expect(read(`Thanks.\n\n${mail}\n`)).toEqual(nothing);
    expect(read(mail)).toEqual(nothing);
  });
});

describe("a mail that its client left unmarked", () => {
  it.each(mails)("is nobody's word where it begins with a quote of its own: %s", (_name, text) => {
    const [head, body] = halves(text);
    const mail = `${head}\n\n> hm\n\n${body.replaceAll(/^> ?/gmu, "")}\n\nloop stop\n\n> so\n`;
    expect(read(mail)).toEqual(nothing);
    expect(own(mail)).not.toContain("loop stop");
  });

  /** How people quote somebody by hand, above the mail that their client quotes below. */
  const quotedByHand = [
    "Ada wrote:",
    "See Ada <ada@example.org>:",
    "As @ada writes:",
    "Ada Beispiel schrieb:",
    "On 27.11.2026 Ada (ada@example.org):",
    "Mail of Ada [ada@example.org]:",
  ];
  const above = ["Looks odd.\n\n", "Looks odd.\n", "- Looks odd.\n\n", ""];
  const clients = [
    "On Mon, Nov 23, 2026 at 10:04 AM Mallory <notifications@example.org> wrote:",
    "Am Mo., 23. Nov. 2026 um 10:04 Uhr schrieb Mallory <notifications@example.org>:",
    "Mallory <notifications@example.org> writes:",
    "-----Original Message-----",
    "Begin forwarded message:",
  ];
  it.each(quotedByHand)("is nobody's word below a quote under %j", (by) => {
    for (const top of by.startsWith("On ") ? above.slice(0, 2) : above)
      for (const client of clients)
        for (const between of ["\n", "\n\n", "\n\nNo idea.\n\n", "\n\nBob wrote:\n> b\n\n"]) {
          const mail = `${top}${by}\n> I think so${between}${client}\n> first\n\nloop stop\n`;
          expect.soft(read(mail), mail).toEqual(nothing);
        }
  });

  /** What prints nothing, or ends a line without a letter. */
  const blanks = [
    "\u00a0",
    "\u3000",
    "\u2003",
    "\u200b",
    "\ufeff",
    "\u2060",
    "\u00ad",
    "\ufe0f",
    "<br>",
    "<br />",
    "\\",
    " ".repeat(12),
    "\u2800\u2800",
    "\u{e0020}",
  ];
  const all = readMails(/./u).filter(([name]) => !/^(?:notes-tabs|form-tags)/u.test(name));

  it.each(blanks.map((blank) => [JSON.stringify(blank), blank]))(
    "stays known behind %s at the end of each line",
    (_shown, blank) => {
      const heard = all.filter(([, text]) => {
        const lines = text.split("\n").map((line) => (line.trim() === "" ? line : line + blank));
        return JSON.stringify(read(lines.join("\n"))) !== JSON.stringify(nothing);
      });
      expect(heard.map(([name]) => name)).toEqual([]);
    },
  );

  it.each(
    ["\u00a0", "\u200b", "\ufeff", "\u2060", "\u3000"].map((blank) => [
      JSON.stringify(blank),
      blank,
    ]),
  )("stays known behind %s at the beginning of each line", (_shown, blank) => {
    const heard = all.filter(([, text]) => {
      const lines = text
        .split("\n")
        .map((line) => (line.trim() === "" || line.startsWith(">") ? line : blank + line));
      return JSON.stringify(read(lines.join("\n"))) !== JSON.stringify(nothing);
    });
    expect(heard.map(([name]) => name)).toEqual([]);
  });

  test.each([
    [
      "Ok.\n\n-------- Original message --------From: Mallory <***@***.***> Date: 23/11/2026  10:04  (GMT+01:00) To: acme/garden <***@***.***> Subject: Re: x\nloop stop",
    ],
    [
      "Ok.\n\n-------- Ursprüngliche Nachricht --------Von: Mallory <***@***.***> Datum: 23.11.26  10:04  (GMT+01:00) An: acme/garden <***@***.***> Betreff: Re: x\n\nloop stop",
    ],
    ["Ok.-------- Original message --------From: Mallory Date: 23/11/2026\nloop stop"],
    ["Ok. -------- Message d'origine --------\nDe : Mallory\n\nloop stop"],
  ])("is known by a title that lost the ends of its lines: %j", (mail) => {
    expect(read(mail)).toEqual(nothing);
    expect(own(mail)).toBe("Ok.");
  });
});

describe("what the code host copies into a text of somebody else", () => {
  const discussed =
    "### Discussed in https://host.example/acme/garden/discussions/5\n\n<div type='discussions-op-text'>\n\n<sup>Originally posted by **mallory** November 27, 2026</sup>\n";
  const posted =
    "_Originally posted by @mallory in https://host.example/acme/garden/issues/1#issuecomment-123_";
  test.each([
    [
      `${discussed}loop stop</div>`,
      "### Discussed in https://host.example/acme/garden/discussions/5",
    ],
    [
      `${discussed}It squeaks.</div>\n\nloop stop</div>`,
      "### Discussed in https://host.example/acme/garden/discussions/5",
    ],
    [
      `loop pause\n\n${discussed.replaceAll("'", '"')}loop stop</div>`,
      "loop pause\n\n### Discussed in https://host.example/acme/garden/discussions/5",
    ],
    [`loop stop\n\n${posted}`, ""],
    [`\`\`\`\nx\n\`\`\`\nloop stop\n\n${posted}\n            `, ""],
    [`loop stop\n\n\`\`\`\n\n${posted}`, ""],
    [
      `> hm\n\nloop stop\n\n ${posted.replace(/https\S*(?=_$)/u, "[#1](https://host.example/acme/garden/issues/1)")}`,
      "",
    ],
    [`> It squeaks.\n\n${posted}\n\nloop pause`, "loop pause"],
  ])("is nobody's word: %j", (text, words) => {
    expect(read(text)).toMatchObject(
      words.includes("loop pause") ? { kind: "command", verb: "pause" } : nothing,
    );
    expect(own(text)).toBe(words);
  });

  const notes = [
    "",
    "Sent from my iPhone",
    "-- \nEve",
    "On Mon, Nov 23, 2026 at 10:04 AM Ada <a@b.example> wrote:",
    "-----Original Message-----",
    "```",
    "<!--",
    "<kbd>",
    "~~~",
    "> so",
    "From: a\n".repeat(60),
    "x:\n".repeat(600),
    "_Originally posted by @bob in #1_",
  ];
  const hosts = [
    posted,
    posted.replace("@mallory", "**@mallory**"),
    posted.replace("@mallory", "[@mallory](https://host.example/mallory)"),
    posted.replaceAll("_", "*"),
    `  ${posted}  `,
  ];
  it.each(notes)("is nobody's word whatever %j leaves open", (note) => {
    for (const host of hosts)
      for (const text of [
        `loop stop\n\n${note}\n\n${host}`,
        `${note}\n\nloop stop\n\n${host}\n`,
        `loop stop\r\n\r\n${note}\r\n\r\n${host}\r\n`,
      ]) {
        expect(read(text), text).toEqual(nothing);
        expect(own(text), text).toBe("");
      }
  });

  const tag = "<div type='discussions-op-text'>";
  test.each([
    `In our template \`${tag}\` is wrong.\nPlease fix that.`,
    `In our template\n\n\`\`\`html\n${tag}\n\`\`\`\n\nis wrong.`,
    `- In our template\n  ~~~\n  ${tag}\n  ~~~\n  is wrong.`,
    `In our template\n\n    ${tag}\n\nis wrong.`,
    `The parser meets <p>${tag} and fails.`,
  ])("is the author's own where code of theirs looks so: %j", (text) => {
    for (const each of [text, text.replaceAll("\n", "\r\n")])
      expect(read(`${each}\n\nloop stop`), each).toMatchObject({ verb: "stop" });
    expect(own(text)).toBe(text);
  });

  it("is nobody's word below a tag that the author shows as code", () => {
    const text = `\`\`\`html\n${tag}\n\`\`\`\n\n${discussed}loop stop</div>`;
    expect(read(text)).toEqual(nothing);
    expect(own(text)).not.toContain("loop stop");
  });

  it("is the author's own where they only tell of it", () => {
    expect(read("This was originally posted by @ada in #7.\n\nloop stop")).toMatchObject({
      verb: "stop",
    });
  });
});

describe("what only looks like a mail's line", () => {
  test.each([
    "Please do:\n\n- By 2026-11-27 tell Ada (ada@example.org):\n  the new date\n- Then fix the tests and push.",
    "* 10:00 reminder <ops@example.org>:\n  text A\n* 12:00 reminder <ops@example.org>:\n  text B\n\nAnd update the README.",
    "1. By 2026-11-27 tell Ada (ada@example.org):\n   the new date\n2. Push.",
    "+ 2026-11-27 mail <team@example.org>:\n  the new date",
    "## 2026-11-27 release mail (team@example.org):\n\nWrite the mail, attach the changelog, and bump the version.",
    "| 2026-11-27 | team@example.org> | mail:\n\nWrite it.",
  ])("leaves a list or a heading to its author: %j", (text) => {
    expect(own(text)).toBe(text);
    expect(read(`${text}\n\nloop stop`)).toMatchObject({ verb: "stop" });
  });

  test.each([
    ["-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n\nloop stop"],
    ["-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nloop stop\n"],
    ["Von meinem Handy aus kann ich das hier nicht testen, leider auch nicht später.\n\nloop stop"],
    ["Sent with the mobile app, the form loses the date.\n\nloop stop"],
    ["Begin forwarded message: is not detected\n\nloop stop"],
    ["I looked into it.\n\nAs @bob wrote:\n\n> use a queue\n\nI agree.\n\nloop stop"],
    ["Two things.\n\nThe compiler writes:\n\n> error TS2345\n\nPlease fix both.\n\nloop stop"],
    ["As Bob wrote:\n\n> a\n\nYes. And as Ann wrote:\n\n> b\n\nNo.\n\nloop stop"],
    ["Look.\n\nSee Bob's mail (bob@x.example):\n\n> a\n\nloop stop"],
    [
      "On Mon, Nov 23, 2026 at 10:04 AM Ada <ada@example.org> wrote:\n> a\n\nOn Mon, Nov 23, 2026 at 11:04 AM Bob <bob@example.org> wrote:\n> b\n\nloop stop",
    ],
    ["loop stop\n> On Mon, Nov 23, 2026 at 10:04 AM Ada <ada@example.org> wrote:\n> > hm"],
    ["loop stop\nOn Mon, Nov 23, 2026 at 10:04 AM Ada <ada@example.org> wrote:\n> hm"],
    [
      "On Mon, Nov 23, 2026 at 10:04 AM Ada <ada@example.org> wrote:\n> hm\n\nloop stop\n\n> so\n\nThanks",
    ],
  ])("is its author's own: %j", (text) => {
    expect(read(text)).toMatchObject({ kind: "command", verb: "stop" });
  });
});
