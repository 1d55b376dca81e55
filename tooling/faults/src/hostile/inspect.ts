import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readPrompts } from "../transcripts.ts";
import type { Findings } from "./findings.ts";
import { strangersMark } from "./inputs/texts.ts";

/** What was answered to the delivery of an input. */
export type Answered = {
  readonly id: string;
  readonly digest: string;
  readonly answer: string;
  readonly n: number;
};

type Row = { readonly digest: string; readonly ignored: string | null; readonly hasBody: boolean };

/**
 * Looks at the tables themselves for what was answered: all that got a 2xx is there, and nothing
 * else.
 */
export function inspectStore(
  file: string,
  answered: readonly Answered[],
  ownIds: ReadonlySet<string>,
  findings: Findings,
): { readonly stored: number; readonly undecided: number } {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = new Map<string, Row>();
    const digests = new Set<string>();
    for (const row of db
      .prepare(
        "select d.id, d.digest, d.ignored, b.seq is not null as body from delivery d left join delivery_body b on b.seq = d.seq where d.source = 'webhook'",
      )
      .iterate()) {
      rows.set(String(row["id"]), {
        digest: String(row["digest"]),
        ignored: row["ignored"] === null ? null : String(row["ignored"]),
        hasBody: row["body"] === 1,
      });
      digests.add(String(row["digest"]));
    }
    const mayBeStored = new Set(ownIds);
    for (const each of answered) {
      if (/^(202|none|late|refused)/.test(each.answer)) mayBeStored.add(each.id);
      const fault = faultOf(each, rows.get(each.id), digests);
      if (fault !== null)
        findings.add("stored", `input ${each.n} was answered ${each.answer} and ${fault}`);
    }
    for (const id of rows.keys())
      if (!mayBeStored.has(id))
        findings.add("stored", `${id.slice(0, 60)} is stored, and nobody was told so`);
    const undecided = Number(
      db
        .prepare(
          "select count(*) as n from delivery d where ignored is null and not exists (select 1 from decision x where x.seq = d.seq)",
        )
        .get()?.["n"],
    );
    return { stored: rows.size, undecided };
  } finally {
    db.close();
  }
}

function faultOf(
  { digest, answer }: Answered,
  row: Row | undefined,
  digests: ReadonlySet<string>,
): string | null {
  if (answer === "202 accepted")
    return row === undefined
      ? "is not stored"
      : row.digest === digest && row.hasBody && row.ignored === null
        ? null
        : "is stored as something else";
  if (answer === "202 ignored")
    return row === undefined
      ? "is not stored"
      : row.ignored !== null && !row.hasBody
        ? null
        : "is stored with its body";
  if (answer === "202 duplicate")
    return row === undefined && !digests.has(digest) ? "nothing like it is stored" : null;
  return row === undefined || answer === "none" || answer === "late" ? null : "is stored";
}

/**
 * No stranger was heard: sessions and turns are of the one item that was started, and no
 * conversation holds a stranger's words.
 */
export function inspectStrangers(
  file: string,
  configDir: string,
  workedRef: string,
  findings: Findings,
): void {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    for (const row of db
      .prepare("select work_item as item from session where work_item <> ?")
      .all(workedRef))
      findings.add(
        "stranger",
        `${String(row["item"])} has a session, and nobody who may asked for it`,
      );
    for (const row of db
      .prepare(
        "select ref from work_item where status is not null and status not in ('idle', '') and ref <> ?",
      )
      .all(workedRef))
      findings.add("stranger", `${String(row["ref"])} was steered by somebody who may not`);
  } finally {
    db.close();
  }
  for (const { receipt, text } of readPrompts(configDir))
    if (text.includes(strangersMark))
      findings.add("stranger", `the message ${receipt} holds a stranger's words`);
}

/**
 * None of the secrets stands in a log, in the database, or in any file of the state root but the
 * one that is for it.
 */
export function inspectFiles(
  files: readonly string[],
  secrets: readonly (readonly [string, string])[],
  findings: Findings,
): void {
  for (const file of files) {
    for (const [name, secret] of secrets)
      if (holds(file, secret)) findings.add("secret", `${name} stands in ${file}`);
  }
}

export function filesOfState(stateRoot: string): readonly string[] {
  const logs = join(stateRoot, "logs");
  const found = readdirSync(stateRoot)
    .filter((name) => /\.db(-wal)?$/.test(name))
    .map((name) => join(stateRoot, name));
  return [...found, ...(existsSync(logs) ? readdirSync(logs).map((name) => join(logs, name)) : [])];
}

function holds(file: string, text: string): boolean {
  const bytes = Buffer.alloc(4_194_304);
  const descriptor = openSync(file, "r");
  try {
    for (let at = 0, length = 1; length > 0; at += Math.max(1, length - text.length)) {
      length = readSync(descriptor, bytes, 0, bytes.length, at);
      if (bytes.subarray(0, length).includes(text)) return true;
      if (length < bytes.length) return false;
    }
    return false;
  } finally {
    closeSync(descriptor);
  }
}
