import type { Judged } from "./reasons.ts";
import type { FolderResult, Result } from "./result.ts";

/** `docs/mutation.md`, from the result and the reasons. */
export function formatPage(result: Result, { explained, unexplained }: Judged): string {
  const without = [...Map.groupBy(unexplained, ({ file }) => file)].map(
    ([file, rows]) => `| \`${file}\` | ${rows.length} |`,
  );
  const reasons = explained.map(
    ({ file, survivor, reason }) =>
      `| \`${file}\` | ${code(survivor.from)} | ${code(survivor.to)} | ${cell(reason)} |`,
  );
  return `${[
    ...introduction(result),
    "| folder | killed | timeout | survived | not reached | at load | score |",
    "|---|---|---|---|---|---|---|",
    ...[...result.folders, result.total].map(row),
    "",
    ...notRun(result),
    "## Survivors that are right",
    "",
    ...(reasons.length === 0
      ? ["None is explained yet."]
      : ["| file | text | changed to | why no test can notice |", "|---|---|---|---|", ...reasons]),
    "",
    "## Survivors without a reason",
    "",
    ...(without.length === 0
      ? ["None."]
      : [
          `${unexplained.length}. Each stands in \`docs/mutation.json\` with its line and both texts.`,
          "",
          "| file | how many |",
          "|---|---|",
          ...without,
        ]),
  ].join("\n")}\n`;
}

function introduction({ commit, date, machine, node, total }: Result): readonly string[] {
  return [
    "# Mutation testing of core",
    "",
    "<!-- Written by `vitest run --project mutation -u` from docs/mutation.json and tooling/mutation/survivors. -->",
    "",
    "A mutant is core with one place changed: a condition turned, a text emptied, a call left out. A test that fails with it has",
    "noticed it. What no test notices is either not promised by any test, or makes no difference.",
    "",
    "    npm run mutate -- --out docs/mutation.json",
    "",
    `Score ${percent(total.score)}: noticed (failed, or went on without end) of all that a test could notice; a place that no test reaches`,
    "counts against it. Left out are only places that nothing but the loading of a module runs (tables, patterns): column `at load`.",
    "A property runs at most 50 examples per mutant, and tests that count hundreds of examples or hold the clock to a limit are not asked,",
    "so that the score is a lower bound. No kind of change and no text is left out.",
    "",
    `Last run on ${commit}, ${date}, Node ${node}, ${machine}; rows of files that it did not come to are of the commit in the JSON.`,
    "",
  ];
}

function notRun({ notRun }: Result): readonly string[] {
  return notRun.length === 0
    ? []
    : [
        `Not run yet: ${notRun.length} files (${[...new Set(notRun.map((file) => file.split("/").slice(0, -1).join("/")))].join(", ")}).`,
        "",
      ];
}

function row({
  folder,
  killed,
  timeout,
  survived,
  noCoverage,
  static: atLoad,
  score,
}: FolderResult): string {
  return `| ${folder} | ${killed} | ${timeout} | ${survived} | ${noCoverage} | ${atLoad} | ${percent(score)} |`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function code(text: string): string {
  return text === "" ? "(nothing)" : `\`\` ${cell(text)} \`\``;
}

function cell(text: string): string {
  return text.replaceAll("|", String.raw`\|`);
}
