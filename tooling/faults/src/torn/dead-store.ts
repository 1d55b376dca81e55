import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bytesOf, deliveryOf } from "@loopwork/core/testing";
import { openStore } from "@loopwork/store";

/**
 * The files of a store whose machine died: deliveries stand in the write-ahead log, one commit
 * each, large bodies beside the database.
 */
export type DeadStore = {
  readonly folder: string;
  readonly database: Buffer;
  readonly log: Buffer;
  /** Name and bytes of each file with bodies. */
  readonly bodies: ReadonlyMap<string, Buffer>;
  /** In the order in which they were stored. */
  readonly ids: readonly string[];
  bodyOf(id: string): Uint8Array;
  remove(): void;
};

const commits = 40;

export async function createDeadStore(): Promise<DeadStore> {
  const folder = mkdtempSync(join(tmpdir(), "loop-torn-"));
  const file = join(folder, "live.db");
  const options = { instance: "default", now: Date.now };
  await (await openStore(`sqlite:${file}`, options)).close();
  const store = await openStore(`sqlite:${file}`, options);
  const ids = Array.from({ length: commits }, (_, n) => `d-${n}`);
  for (const id of ids) await store.append(deliveryOf(id, { body: bodyOf(id) }));
  const dead = join(folder, "dead");
  for (const end of ["", "-wal"]) copyFileSync(`${file}${end}`, `${dead}${end}`);
  cpSync(`${file}-bodies`, `${dead}-bodies`, { recursive: true });
  await store.close();
  const bodies = new Map(
    readdirSync(`${dead}-bodies`).map(
      (name) => [name, readFileSync(join(`${dead}-bodies`, name))] as const,
    ),
  );
  return {
    folder,
    database: readFileSync(dead),
    log: readFileSync(`${dead}-wal`),
    bodies,
    ids,
    bodyOf,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Of every three one is large and stands beside the database. */
function bodyOf(id: string): Uint8Array {
  return bytesOf(id.repeat(Number(id.slice(2)) % 3 === 0 ? 1_000 : 300));
}
