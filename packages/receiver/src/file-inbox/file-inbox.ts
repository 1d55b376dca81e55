import { mkdirSync } from "node:fs";
import type { NewDelivery } from "@loopwork/core";
import { type Acceptance, type Inbox, InboxUnavailable } from "@loopwork/core/ports";
import { createDedupe } from "./dedupe.ts";
import { lockDirectory } from "./directory-lock.ts";
import { type Disk, realDisk } from "./disk.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createReader, type Reader } from "./reader.ts";
import { sizeOf } from "./record.ts";
import { type Damage, recover } from "./recover.ts";
import { createRetention } from "./retention.ts";
import { createWriter, FlushFailed } from "./writer.ts";

export type FileInboxOptions = {
  /** Size at which a segment file is finished, in bytes. Default 16777216. */
  readonly segmentBytes?: number;
  /** Bytes of segments kept whole after their deliveries were handed on; older ones keep ids and digests only. Default 67108864. */
  readonly keepBytes?: number;
  /** Bytes of deliveries that were not handed on; over it the inbox takes no more. Default: no bound. */
  readonly maxBacklogBytes?: number;
  /** Bytes that wait in memory for their commit; over it the inbox takes no more. Default 67108864. */
  readonly maxWaitingBytes?: number;
  readonly disk?: Disk;
  /** Told what went wrong without harm to any delivery. */
  readonly onWarning?: (text: string) => void;
};

/** An inbox in a folder of its own. */
export type FileInbox = Inbox & {
  /** What opening found that was no record; empty after a clean stop. */
  readonly damage: readonly Damage[];
  /** Resolves with the error after which this inbox takes nothing more and must be opened anew (D02). */
  readonly failed: Promise<Error>;
  /** Reads stored deliveries after a `seq`, in order. */
  reader(after: number): Reader;
  /** Everything up to this `seq` was handed on: its bodies may be dropped when room is needed. */
  release(seq: number): void;
  /** Bytes that were not handed on. */
  backlogBytes(): number;
  /** Ends what is being committed, then lets the folder go. Safe to call twice. */
  close(): Promise<void>;
};

const largestCommit = 8 * 1024 * 1024;

/**
 * Opens, or makes, a file inbox: an append-only log of framed records, flushed in groups (decisions.md 3). Memory: about 40
 * bytes a delivery, plus what waits to be committed.
 * @throws {LoopError} `LOOP_E_INBOX_LOCKED` when another process has the folder open.
 */
export async function openFileInbox(directory: string, options: FileInboxOptions = {}): Promise<FileInbox> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = lockDirectory(directory);
  try {
    return await open(directory, options, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

type Item = { readonly delivery: NewDelivery; seq: number };

async function open(directory: string, options: FileInboxOptions, lock: { release(): void }): Promise<FileInbox> {
  const dedupe = createDedupe(directory);
  const found = await recover(directory, ({ entry, offset }, segment) => dedupe.remember(entry, segment, offset));
  const retention = createRetention({ directory, found, keepBytes: options.keepBytes ?? 67_108_864, onWarning: options.onWarning ?? (() => {}), onMoved: dedupe.moved });
  const writer = createWriter({ directory, disk: options.disk ?? realDisk, segmentBytes: options.segmentBytes ?? 16_777_216, nextSeq: found.nextSeq, nextNumber: found.nextNumber, takeSpare: retention.takeSpare, onFinished: retention.finished });
  const group = createGroupCommit<Item>(commit, largestCommit);
  const failed = Promise.withResolvers<Error>();
  let grown = Promise.withResolvers<void>();
  let broken: string | null = null;
  let closing: Promise<void> | null = null;

  async function append(delivery: NewDelivery): Promise<Acceptance> {
    if (broken !== null || closing !== null) throw unavailable(broken ?? "the inbox is closed");
    const repeated = dedupe.find(delivery);
    if (repeated !== null) return repeated;
    checkBounds();
    const item: Item = { delivery, seq: 0 };
    const done = group.add(item, sizeOf(delivery));
    dedupe.begin(delivery, done);
    await done;
    return { kind: "accepted", seq: item.seq };
  }

  async function commit(items: readonly Item[]): Promise<number> {
    try {
      if (broken !== null) throw new Error(broken);
      const written = await writer.append(items.map((item) => item.delivery));
      for (const [n, record] of written.entries()) {
        const item = items[n];
        if (item !== undefined) item.seq = record.seq;
        dedupe.remember(record.delivery, record.segment, record.offset);
      }
      wakeReaders();
      return written.length;
    } catch (error) {
      if (error instanceof FlushFailed) fail(error);
      throw unavailable(error instanceof Error ? error.message : String(error));
    }
  }

  /** After a failed flush nobody knows what the disk holds; only reading the log again tells. */
  function fail(error: Error): void {
    broken = `the inbox must be opened anew: ${error.message}`;
    failed.resolve(error);
  }

  function checkBounds(): void {
    const full = group.waiting().bytes > (options.maxWaitingBytes ?? 67_108_864) || retention.backlogBytes(writer.current()) > (options.maxBacklogBytes ?? Infinity);
    if (full) throw new InboxUnavailable("LOOP_E_BACKLOG_FULL", "too many deliveries wait to be handed on");
  }

  function wakeReaders(): void {
    grown.resolve();
    grown = Promise.withResolvers();
  }

  async function close(): Promise<void> {
    await group.idle();
    await writer.close();
    await retention.idle();
    wakeReaders();
    lock.release();
  }

  const view = { directory, segments: () => retention.segments(writer.current()), grown: () => grown.promise, isClosed: () => closing !== null };
  return {
    append,
    damage: found.damage,
    failed: failed.promise,
    reader: (after) => createReader(view, after),
    release: retention.release,
    backlogBytes: () => retention.backlogBytes(writer.current()),
    close: () => (closing ??= close()),
  };
}

function unavailable(why: string): InboxUnavailable {
  return new InboxUnavailable("LOOP_E_STORE_UNAVAILABLE", why);
}
