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
    "# Commands: every command of `loop`",
    "",
    "What `--help` prints; a test fails when the two differ. Every command takes `--json`, `--config FILE` and `--remote URL` as well.",
    "Exit codes: 0 yes or done, 1 no or not done, 2 wrong usage, wrong configuration, or it could not run. An error names its code;",
    "[errors.md](errors.md) says what each means.",
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

test("the page in docs is what the commands say of themselves", async () => {
  await expect(await page()).toMatchFileSnapshot("../../../../docs/commands.md");
});
