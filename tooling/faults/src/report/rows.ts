import { readFileSync, writeFileSync } from "node:fs";
import type { Flags } from "../flags.ts";
import type { Report, Run } from "../runs.ts";
import { type Make, recordsFolder, runFull } from "./full.ts";
import { guardsPart, parts } from "./parts.ts";
import { pageFile, pageOf, readRecords, templateFile } from "./page.ts";

/** What of the command is about all runs together, and the page that tells of them. */
export function reportRuns(make: Make): readonly Run[] {
  return [
    {
      usage: `--full [--part ${[...parts.map(({ name }) => name), guardsPart].join("|")}] [--out FOLDER]: every run in its long form, each written to docs/reliability/`,
      isAsked: ({ full, store, kills }: Flags) => full === true && store === undefined && kills === undefined,
      make: (flags, say) => runFull(flags, make, say),
    },
    { usage: "--report: writes docs/reliability.md from docs/reliability/*.json", isAsked: ({ report }: Flags) => report === true, make: () => Promise.resolve(writePage()) },
  ];
}

function writePage(): Report & { readonly written: string } {
  writeFileSync(pageFile, pageOf(readFileSync(templateFile, "utf8"), readRecords(recordsFolder)));
  return { written: "docs/reliability.md", violations: [] };
}
