import { join } from "node:path";
import { validate } from "skills-ref";
import { describe, expect, test } from "vitest";
import { filesOf, root, textOf } from "../src/repository.ts";
import { faultsOfSkill } from "../src/skill.ts";

const skills = filesOf("plugins/loop/skills/*/SKILL.md");

test("there is a skill for how work runs, one for each persona, for review, critics and learnings", () => {
  const names = [
    "architecture",
    "critic",
    "design",
    "development",
    "learnings",
    "operating-model",
    "product",
    "review",
    "testing",
  ];
  expect(skills).toEqual(names.map((name) => `plugins/loop/skills/loop-${name}/SKILL.md`));
});

test.each(skills)(
  "%s keeps the Agent Skills standard, and says when, what, how to ask and what proves it",
  (path) => {
    expect(faultsOfSkill(path, textOf(path) ?? "", textOf)).toEqual([]);
  },
);

test.each(skills)("%s passes the standard's own validator", async (path) => {
  expect(await validate(join(root, path, ".."))).toEqual([]);
});

describe("the validator of skills can fail", () => {
  const good =
    "---\nname: a-skill\ndescription: Does a thing. Use when asked.\nmetadata:\n  product: loop\n---\n\n# A\n\nSee [how](how.md); `loop comment`, `loop ask`.\n\n## When to use this\n\n## Ask\n\n## What proves it\n\n`loop check`\n";
  const files: Readonly<Record<string, string>> = {
    "x/a-skill/how.md": "text",
    "x/a-skill/chain.md": "see [more](how.md)",
  };
  const faults = (text: string): readonly string[] =>
    faultsOfSkill("x/a-skill/SKILL.md", text, (path) => files[path] ?? null);

  test("one without a fault has none", () => expect(faults(good)).toEqual([]));
  test.each<[string, string, string, string]>([
    ["no front matter", "---\nname", "name", "there is no front matter that can be read"],
    [
      "a key twice",
      "metadata:",
      "name: a-skill\nmetadata:",
      "there is no front matter that can be read",
    ],
    [
      "a key of one harness",
      "metadata:",
      "argument-hint: x\nmetadata:",
      "the standard has no key argument-hint",
    ],
    ["another folder's name", "name: a-skill", "name: other", "name is not the folder's, a-skill"],
    [
      "a name with two dashes",
      "name: a-skill",
      "name: a--skill",
      "name is not 1 to 64 lower-case letters, digits and single dashes",
    ],
    [
      "a name in capitals",
      "name: a-skill",
      "name: A-skill",
      "name is not 1 to 64 lower-case letters, digits and single dashes",
    ],
    [
      "no description",
      "description: Does a thing. Use when asked.\n",
      "",
      "description is not 1 to 1024 characters",
    ],
    [
      "a description without end",
      "Does a thing.",
      "x".repeat(1025),
      "description is not 1 to 1024 characters",
    ],
    [
      "metadata that is no text",
      "product: loop",
      "product: 1",
      "metadata does not map text to text",
    ],
    [
      "compatibility that is too long",
      "metadata:",
      `compatibility: ${"x".repeat(501)}\nmetadata:`,
      "compatibility is not 1 to 500 characters",
    ],
    [
      "tools as a list",
      "metadata:",
      "allowed-tools: [Bash]\nmetadata:",
      "allowed-tools is no text",
    ],
    ["a body without end", "# A\n", `# A\n${"x\n".repeat(500)}`, "is longer than 500 lines"],
    ["no section about proof", "## What proves it\n", "", "has no section What proves it"],
    [
      "proof without a command",
      "`loop check`",
      "trust me",
      "names no command of loop that proves it",
    ],
    ["nothing to speak with", "`loop comment`", "a comment", "does not name loop comment"],
    ["a dead link", "how.md", "gone.md", "links to gone.md, which is not there"],
    [
      "a reference that leads on",
      "how.md",
      "chain.md",
      "links to chain.md, which links on to how.md",
    ],
  ])("%s", (_, before, after, fault) => {
    expect(good).toContain(before);
    expect(faults(good.replace(before, after))).toContain(`x/a-skill/SKILL.md: ${fault}`);
  });
});
