import { readFileSync, writeFileSync } from "node:fs";
import type { Flags } from "../flags.ts";
import type { Report, Run } from "../runs.ts";
import { makeInChild } from "./child.ts";
import { recordsFolder, runFull } from "./full.ts";
import { guardsPart, parts } from "./parts.ts";
import { pageFile, pageOf, readRecords, templateFile } from "./page.ts";

/** What of the command is about all runs together, and the page that tells of them. */
export const reportRuns: readonly Run[] = [
  {
    usage: `--full [--part ${[...parts.map(({ name }) => name), guardsPart].join("|")}] [--out FOLDER]: every run in its long form, each written to docs/reliability/ and ended when it takes too long`,
    isAsked: ({ full, store, kills }: Flags) =>
      full === true && store === undefined && kills === undefined,
    make: (flags, say) => runFull(flags, makeInChild, say),
  },
  {
    usage:
      "--report: writes docs/reliability.md from docs/reliability/*.json and docs/mutation.json",
    isAsked: ({ report }: Flags) => report === true,
    make: () => Promise.resolve(writePage()),
  },
];

function writePage(): Report & { readonly written: string } {
  writeFileSync(pageFile, pageOf(readFileSync(templateFile, "utf8"), readRecords(recordsFolder)));
  return { written: "docs/reliability.md", violations: [] };
}
