import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { deliveryOf } from "@loopwork/core/testing";
import { openStore } from "@loopwork/store";
import { readStore } from "../check/ask.ts";
import type { DeadStore } from "./dead-store.ts";
import type { Mutation } from "./mutations.ts";

/** What a store that was opened over damage holds. */
export type Reopened = {
  readonly kept: number;
  readonly damagedBodies: number;
  readonly violations: readonly string[];
};

/**
 * Opens a copy with the damage in it, lets the store read every body and take one more delivery,
 * and looks at the tables afterwards.
 */
export async function reopen(dead: DeadStore, mutation: Mutation): Promise<Reopened> {
  const file = join(dead.folder, "copy.db");
  writeCopy(file, mutation);
  return readTables(file, dead).catch((error: unknown) => ({
    kept: 0,
    damagedBodies: 0,
    violations: [String(error)],
  }));
}

function writeCopy(file: string, { database, log, bodies }: Mutation): void {
  for (const end of ["", "-wal", "-shm", "-bodies"])
    rmSync(`${file}${end}`, { force: true, recursive: true });
  mkdirSync(`${file}-bodies`);
  for (const [name, bytes] of bodies) writeFileSync(join(`${file}-bodies`, name), bytes);
  writeFileSync(file, database);
  writeFileSync(`${file}-wal`, log);
}

async function readTables(file: string, dead: DeadStore): Promise<Reopened> {
  const store = await openStore(`sqlite:${file}`, { instance: "default", now: Date.now });
  const violations: string[] = [];
  const damaged: string[] = [];
  try {
    const listed = await store.log.list({ limit: 1_000 });
    for (const { seq, id } of listed) {
      const body = await store.log.body(seq);
      if (body === null) damaged.push(id);
      else if (!Buffer.from(body).equals(Buffer.from(dead.bodyOf(id))))
        violations.push(`the body of ${id} is another one`);
    }
    if ((await store.append(deliveryOf("after"))).kind !== "accepted")
      violations.push("it takes no more deliveries");
  } finally {
    await store.close();
  }
  const rows = await readStore(`sqlite:${file}`);
  const kept = (rows?.deliveries ?? []).map(({ id }) => id).filter((id) => id !== "after");
  if (kept.some((id, n) => id !== dead.ids[n]))
    violations.push(`what is kept is no prefix: ${kept.join(" ")}`);
  const told = new Set(
    (rows?.events ?? [])
      .filter(({ reason }) => reason === "body-damaged")
      .map(({ delivery }) => delivery),
  );
  violations.push(
    ...damaged
      .filter((id) => !told.has(id))
      .map((id) => `nobody is told that the body of ${id} is damaged`),
    ...damageOf(file),
  );
  return { kept: kept.length, damagedBodies: damaged.length, violations };
}

function damageOf(file: string): readonly string[] {
  using db = new DatabaseSync(file, { readOnly: true });
  const verdict = String(db.prepare("pragma integrity_check").get()?.["integrity_check"]);
  return verdict === "ok" ? [] : [`the database is damaged: ${verdict}`];
}
