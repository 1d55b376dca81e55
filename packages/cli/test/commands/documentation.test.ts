import { expect, test } from "vitest";
import { commandTable } from "../../src/commands/table.ts";
import { createScene } from "../support/scene.ts";

const rows = commandTable.filter(({ hidden }) => hidden !== true);

/**
 * The reference as a page; `vitest run --project cli test/commands/documentation -u` writes it anew
 * after a change of a command.
 */
async function page(): Promise<string> {
  const sections = await Promise.all(
    rows.map(async ({ name }) => `## loop ${name}\n\n\`\`\`text\n${await helpOf(name)}\n\`\`\`\n`),
  );
  return [
    "# Commands",
    "",
    "What `--help` prints for each command. Every command also takes `--json`, `--config FILE` and `--remote URL`.",
    "Exit codes: 0 yes or done, 1 no or not done, 2 wrong usage, invalid configuration, or it could not run.",
    "An error shows its code; [errors.md](errors.md) explains each one.",
    "",
    "| command | what it does |",
    "|---|---|",
    ...rows.map(
      ({ name, summary }) =>
        `| [\`loop ${name}\`](#loop-${name.replaceAll(" ", "-")}) | ${summary.replaceAll("|", "\\|")} |`,
    ),
    "",
    ...sections,
  ].join("\n");
}

async function helpOf(name: string): Promise<string> {
  const { code, out } = await createScene().loop(...name.split(" "), "--help");
  expect(code).toBe(0);
  return out
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

test("docs/commands.md is the help of every command", async () => {
  await expect(await page()).toMatchFileSnapshot("../../../../docs/commands.md");
});
