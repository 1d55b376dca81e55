import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readBook, readRules } from "../src/index.ts";

function repository(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "loop-rules-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

test("rules are items of lists, with the lines that go on with them, and sentences", async () => {
  const root = repository({
    "AGENTS.md":
      "# Rules\n\n- Never commit generated\n  files of the client\n* [ ] Ask before a new dependency\n2. Run the linter first\n\nStart the database before the tests. Dates are\nstored in UTC.\n",
  });
  expect(await readRules(root)).toEqual([
    { id: "AGENTS.md:3", text: "Never commit generated files of the client" },
    { id: "AGENTS.md:5", text: "Ask before a new dependency" },
    { id: "AGENTS.md:6", text: "Run the linter first" },
    { id: "AGENTS.md:8", text: "Start the database before the tests." },
    { id: "AGENTS.md:8 (sentence 2)", text: "Dates are stored in UTC." },
  ]);
});

test("code, front matter, headings, tables, quotes and comments are no rules", async () => {
  const root = repository({
    "CLAUDE.md":
      "---\ndescription: rules of the tests\n---\n# Never push to main\n```sh\n- rm -rf everything here\n```\n| never use | tables here |\n> quoted words of others\n<!-- a comment of somebody -->\n\n~~~\nnot a rule either\n~~~\n- Keep the one rule\n",
  });
  expect(await readRules(root)).toEqual([{ id: "CLAUDE.md:15", text: "Keep the one rule" }]);
});

test("every tool's rule files count; a link is followed nowhere, and what it leads to counts where it stands itself", async () => {
  const root = repository({
    "AGENTS.md": "- Rule of the agents\n",
    ".cursor/rules/a.mdc": "- Rule of a cursor\n",
    ".claude/rules/b.md": "- Rule of a folder\n",
    ".claude/rules/c.txt": "- No rule file\n",
    ".github/copilot-instructions.md": "- Rule of a pilot\n",
    ".windsurfrules": "- Rule of a surfer\n",
  });
  symlinkSync("AGENTS.md", join(root, "CLAUDE.md"));
  symlinkSync("/etc/passwd", join(root, "GEMINI.md"));
  expect((await readRules(root)).map(({ id }) => id)).toEqual([
    "AGENTS.md:1",
    ".windsurfrules:1",
    ".github/copilot-instructions.md:1",
    ".cursor/rules/a.mdc:1",
    ".claude/rules/b.md:1",
  ]);
});

test("a flood of rules is cut, and a long line is compared by its beginning", async () => {
  const root = repository({
    "AGENTS.md": `- ${"word ".repeat(4_000)}\n${"- Rule of many\n".repeat(5_000)}`,
  });
  const rules = await readRules(root);
  expect(rules).toHaveLength(500);
  expect(Math.max(...rules.map(({ text }) => text.length))).toBeLessThanOrEqual(160);
});

test(
  "a pipe in the place of a rule file is not waited for, and the others count",
  { timeout: 20_000 },
  async () => {
    const root = repository({ "AGENTS.md": "- Rule of the agents\n" });
    execFileSync("mkfifo", [join(root, "CLAUDE.md")]);
    expect((await readRules(root)).map(({ id }) => id)).toEqual(["AGENTS.md:1"]);
  },
);

test("an index or a rule file of 10 GB without content is an error with a hint, and fills no memory", async () => {
  for (const path of ["docs/learnings/learnings.md", "AGENTS.md"]) {
    const root = repository({ [path]: "" });
    truncateSync(join(root, path), 10 * 1024 ** 3);
    const reading = path === "AGENTS.md" ? readRules(root) : readBook(root);
    const refused = {
      code: "LOOP_E_LEARNINGS_FILE",
      message: expect.stringContaining(`${path} has more than`),
    };
    if (path === "AGENTS.md") expect(await reading).toEqual([]);
    else await expect(reading).rejects.toMatchObject(refused);
  }
});
