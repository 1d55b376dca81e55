import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@loopwork/core/ports";
import { noon } from "@loopwork/core/testing";
import { onTestFinished } from "vitest";
import { StoreError } from "@loopwork/store";
import { type Checked, checkStore } from "@loopwork/store/maintenance";
import type { MaintenanceDriver } from "@loopwork/store/driver";
import { postgresMaintenance } from "../../src/index.ts";
import { makeDatabase, type TestDatabase } from "../databases.ts";
import { openAny } from "../open-any.ts";
import { liveIn } from "./lived-in.ts";

export const loadPostgres = async (): Promise<MaintenanceDriver> => postgresMaintenance;

/** A module of `processes`, as a path. */
export const moduleAt = (name: string): string => join(import.meta.dirname, "../processes", name);

export function check(url: string): Promise<Checked> {
  return checkStore(url, loadPostgres);
}

/** A server that is slow to take a connection, as on a busy machine, is asked again. */
export async function open(url: string, instance: string = "default"): Promise<Store> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await openAny(url, { instance, now: () => noon });
    } catch (error) {
      if (tries === 10 || !(error instanceof StoreError) || error.code !== "LOOP_E_STORE_AWAY")
        throw error;
    }
  }
}

/** A folder of the test's own. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "loop-maintenance-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function newFile(): string {
  return join(makeFolder(), "loop.db");
}

/** A database in which nothing is. */
export async function newDatabase(): Promise<TestDatabase> {
  const database = await makeDatabase();
  onTestFinished(() => database.drop(), 30_000);
  return database;
}

export type Kind = "sqlite" | "postgres";

/** The URL of a place where nothing is. */
export async function emptyPlace(kind: Kind): Promise<string> {
  return kind === "sqlite" ? `sqlite:${newFile()}` : (await newDatabase()).url;
}

/**
 * The URL of a store that has seen some use and that nobody has open. On a busy machine a statement
 * can run into the bounds that the driver sets for services: then another place is filled.
 */
export async function livedIn(kind: Kind, more?: number): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const url = await emptyPlace(kind);
    const store = await open(url);
    try {
      await store.instances.enter({
        incarnation: "first-life",
        machine: "here",
        scope: { mode: "addressed", workItems: [] },
      });
      await liveIn(store, more);
      return url;
    } catch (error) {
      if (tries === 5 || !(error instanceof StoreError) || !slow.has(error.code)) throw error;
    } finally {
      await store.close();
    }
  }
}

const slow: ReadonlySet<string> = new Set(["LOOP_E_STORE_AWAY", "LOOP_E_STORE_BUSY"]);

export function fileOf(url: string): string {
  return url.slice("sqlite:".length);
}
