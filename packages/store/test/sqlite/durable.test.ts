import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@loopwork/core/ports";
import { deliveryOf, noon } from "@loopwork/core/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  begin,
  decided,
  endOf,
  lifeOf,
  lineOf,
  refText,
  reply,
  take,
  taken,
  turnFor,
} from "../../src/contract/build.ts";
import { createLogFlush } from "../../src/sqlite/log-flush.ts";
import { type HeldDisk, heldDisk, isSettled, openOver } from "./held-disk.ts";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "loop-durable-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const item = refText(1);
const life = lifeOf("1");
const twoThings = decided({ effects: [turnFor("a", 1), reply(1, "heard")] });

/** Decides a delivery that is durable; the flush of the decision is under way then. */
async function decideOn(store: Store, disk: HeldDisk): Promise<void> {
  const appending = store.append(deliveryOf("a"));
  await disk.endNext();
  const answer = await appending;
  expect(
    await store.log.decide(answer.kind === "accepted" ? answer.seq : 0, item, () => twoThings),
  ).toBe(twoThings);
}

/**
 * Makes sure that a write settles after the flush that it asked for, and not before; resolves to
 * what it settled to.
 */
async function onlyAfterFlush<T>(write: () => Promise<T>, disk: HeldDisk): Promise<T> {
  const asked = disk.asked();
  const writing = write();
  expect([await isSettled(writing), disk.asked()]).toEqual([false, asked + 1]);
  await disk.endNext();
  return writing;
}

describe("what is written, and the flush of the log", () => {
  test("no commit flushes on the thread", async () => {
    const { store, connection } = openOver(folder, createLogFlush(join(folder, "loop.db-wal")));
    const modes: unknown[] = [];
    const look = (): void =>
      void modes.push(connection.prepare("pragma synchronous").get()?.["synchronous"]);
    await store.append(deliveryOf("a"));
    await store.log.decide(1, item, () => (look(), twoThings));
    await store.items.update(item, (after) => (look(), { after, lines: [] }));
    await store.repositories.update(() => (look(), { write: [], lines: [lineOf()] }));
    const normal = 1;
    expect(modes).toEqual([normal, normal, normal]);
    await store.close();
  });

  test("nobody is told before it is durable", async () => {
    const disk = heldDisk();
    const { store } = openOver(folder, disk);
    const writes: readonly (() => Promise<unknown>)[] = [
      () => store.instances.enter(life),
      () => store.instances.beat(life.scope),
      () => store.items.update(item, (after) => ({ after, lines: [lineOf()] })),
      () => store.cursors.put("octo/app", { issues: "1" }),
      () => store.repositories.update(() => ({ write: [], lines: [lineOf()] })),
      () => store.items.updateOwn(item, (after) => ({ after, lines: [lineOf()] })),
      () => store.instances.drain("default", true, []),
    ];
    for (const write of writes) await onlyAfterFlush(write, disk);
    await onlyAfterFlush(() => store.instances.leave(), disk);
    await store.close();
  });

  test("nothing of a turn is told before it is durable: that it begins, above all", async () => {
    const disk = heldDisk();
    const { store } = openOver(folder, disk);
    await decideOn(store, disk);
    await disk.endNext();
    const lane = await onlyAfterFlush(() => taken(store), disk);
    expect(await onlyAfterFlush(() => store.lanes.renew(lane.lease, noon, 1), disk)).toBe(true);
    expect(await onlyAfterFlush(() => begin(store, lane), disk)).toBe(true);
    expect(
      await onlyAfterFlush(
        () => store.lanes.settle(lane.lease, lane.turn.id, endOf({ state: "uncertain" })),
        disk,
      ),
    ).toBe(true);
    expect(
      await onlyAfterFlush(() => store.lanes.resolve(lane.turn.id, "retry", "", []), disk),
    ).toBe(true);
    const again = await onlyAfterFlush(() => taken(store), disk);
    await onlyAfterFlush(() => store.lanes.release(again.lease), disk);
    const due = store.outbox.due(noon, 10);
    await disk.endNext();
    expect(
      await onlyAfterFlush(
        async () =>
          store.outbox.settle((await due)[0]?.id ?? 0, { state: "done", note: "" }, null, []),
        disk,
      ),
    ).toBe(true);
    await store.close();
  });

  test("a file of bodies goes after the row that named it", async () => {
    const disk = heldDisk();
    const { store } = openOver(folder, disk);
    const appending = store.append(deliveryOf("a", { body: new Uint8Array(9_000), receivedAt: 1 }));
    await disk.endNext();
    await appending;
    await store.log.decide(1, null, () => decided());
    await disk.endNext();
    const files = (): number => readdirSync(join(folder, "bodies")).length;
    const forgetting = store.log.forgetBodies(2);
    expect([await isSettled(forgetting), files()]).toEqual([false, 1]);
    await disk.endNext();
    expect([await forgetting, files()]).toEqual([1, 0]);
    await store.close();
  });

  test("who tells people, and who acts on a decision that was made, reads what is durable", async () => {
    const disk = heldDisk();
    const { store } = openOver(folder, disk);
    await decideOn(store, disk);
    const [lines, decision] = [store.events.list({ limit: 1 }), store.log.decision("a")];
    expect([await isSettled(lines), await isSettled(decision)]).toEqual([false, false]);
    await disk.endNext();
    expect(await decision).toMatchObject({ workItem: item });
    await lines;
    await store.close();
  });

  test("who changes nothing asks for no flush, and waits for what was written before", async () => {
    const disk = heldDisk();
    const { store } = openOver(folder, disk);
    expect(await take(store)).toBeNull();
    const writing = store.cursors.put("octo/app", { issues: "1" });
    const looking = take(store);
    expect([await isSettled(looking), disk.asked()]).toEqual([false, 1]);
    await disk.endNext();
    await Promise.all([writing, looking]);
    await store.close();
  });

  test("a decision waits for no flush; what follows from it is handed out after one", async () => {
    const disk = heldDisk();
    const { store } = openOver(folder, disk);
    await decideOn(store, disk);
    await disk.endNext();
    const due = onlyAfterFlush(() => store.outbox.due(noon, 10), disk);
    expect(await due).toMatchObject([{ effect: { kind: "reply" } }]);
    expect(await onlyAfterFlush(() => take(store), disk)).toMatchObject({
      turn: { state: "ready" },
    });
    await store.close();
  });

  test("D02: where the flush of a decision fails, nothing follows from it and the handle is broken", async () => {
    const disk = heldDisk();
    const { store } = openOver(folder, disk);
    await decideOn(store, disk);
    await disk.endNext(new Error("EIO"));
    const broken = { code: "LOOP_E_STORE_BROKEN" };
    await expect(store.outbox.due(noon, 10)).rejects.toMatchObject(broken);
    await expect(take(store)).rejects.toMatchObject(broken);
    await store.close();
  });

  test("a decision that the power took was acted on by nobody, and is made again", async () => {
    const [disk, left] = [heldDisk(), join(folder, "left")];
    const { store } = openOver(folder, disk);
    const appending = store.append(deliveryOf("a"));
    await disk.endNext();
    await appending;
    for (const file of ["loop.db", "loop.db-wal"]) cpSync(join(folder, file), join(left, file)); // What the disk has for certain.
    await store.log.decide(1, item, () => twoThings);
    expect([await isSettled(store.outbox.due(noon, 10)), await isSettled(take(store))]).toEqual([
      false,
      false,
    ]);

    const { store: after } = openOver(left, createLogFlush(join(left, "loop.db-wal")));
    expect(await after.log.undecided(10)).toMatchObject([{ seq: 1, id: "a" }]);
    expect([await after.outbox.due(noon, 10), await take(after)]).toEqual([[], null]);
    await after.log.decide(1, item, () => twoThings);
    expect(await after.outbox.due(noon, 10)).toHaveLength(1);
    await after.close();
    for (let n = disk.asked(); n > 0; n -= 1) disk.end();
    await store.close();
  });

  test("closing waits for the flush of a decision", async () => {
    const disk = heldDisk();
    const { store } = openOver(folder, disk);
    await decideOn(store, disk);
    const closing = store.close();
    expect(await isSettled(closing)).toBe(false);
    await disk.endNext();
    await closing;
  });
});
