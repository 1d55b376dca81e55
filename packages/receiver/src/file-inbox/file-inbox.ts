import { mkdirSync } from "node:fs";
import type { Inbox } from "@loopwork/core/ports";
import { createAppender } from "./delivery-appender.ts";
import { createDedupe } from "./dedupe.ts";
import { lockDirectory } from "./directory-lock.ts";
import { type Disk, realDisk } from "./disk.ts";
import { createReader, type Reader } from "./reader.ts";
import { type Damage, recover } from "./recover.ts";
import { createRetention } from "./retention.ts";
import { createWriter } from "./segment-writer.ts";

export type FileInboxOptions = {
  /** Size at which a segment file is finished, in bytes. Default 16777216. */
  readonly segmentBytes?: number;
  /**
   * Bytes of segments kept whole after their deliveries were handed on; older ones keep ids and
   * digests only. Default 67108864.
   */
  readonly keepBytes?: number;
  /**
   * Bytes of deliveries that were not handed on; over it the inbox takes no more. Default: no
   * bound.
   */
  readonly maxBacklogBytes?: number;
  /**
   * Bytes that wait in memory for their commit; over it the inbox takes no more. Default 67108864.
   */
  readonly maxWaitingBytes?: number;
  readonly disk?: Disk;
  /** Told what went wrong without harm to any delivery. */
  readonly onWarning?: (text: string) => void;
};

/** An inbox in a folder of its own. */
export type FileInbox = Inbox & {
  /** What opening found that was no record; empty after a clean stop. */
  readonly damage: readonly Damage[];
  /** Resolves with the error after which this inbox takes nothing more and must be opened anew. */
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

/**
 * Opens, or makes, a file inbox: an append-only log of framed records, flushed in groups. Memory:
 * about 40 bytes a delivery, plus what waits to be committed. @throws {LoopError}
 * `LOOP_E_INBOX_LOCKED` when another process has the folder open.
 */
export async function openFileInbox(
  directory: string,
  options: FileInboxOptions = {},
): Promise<FileInbox> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = lockDirectory(directory);
  try {
    return await open(directory, options, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function open(
  directory: string,
  options: FileInboxOptions,
  lock: { release(): void },
): Promise<FileInbox> {
  const {
    disk = realDisk,
    segmentBytes = 16_777_216,
    keepBytes = 67_108_864,
    maxBacklogBytes = Infinity,
    maxWaitingBytes = 67_108_864,
    onWarning = () => {},
  } = options;
  const dedupe = createDedupe(directory);
  const found = await recover(directory, ({ entry, offset }, segment) =>
    dedupe.remember(entry, segment, offset),
  );
  const retention = createRetention({
    directory,
    found,
    keepBytes,
    onWarning,
    onMoved: dedupe.moved,
  });
  const writer = createWriter({
    directory,
    disk,
    segmentBytes,
    nextSeq: found.nextSeq,
    nextNumber: found.nextNumber,
    takeSpare: retention.takeSpare,
    onFinished: retention.finished,
  });
  const growth = createGrowth();
  const backlogBytes = (): number => retention.backlogBytes(writer.current());
  const appender = createAppender({
    dedupe,
    writer,
    isBehind: () => backlogBytes() > maxBacklogBytes,
    maxWaitingBytes,
    onCommitted: growth.tell,
  });
  let closing: Promise<void> | null = null;

  async function close(): Promise<void> {
    await appender.close();
    await writer.close();
    await retention.idle();
    growth.tell();
    lock.release();
  }

  const view = {
    directory,
    segments: () => retention.segments(writer.current()),
    grown: growth.next,
    isClosed: () => closing !== null,
  };
  return {
    append: appender.append,
    damage: found.damage,
    failed: appender.failed,
    reader: (after) => createReader(view, after),
    release: retention.release,
    backlogBytes,
    close: () => (closing ??= close()),
  };
}

/** Wakes whoever waits for the log to grow. */
function createGrowth(): { next(): Promise<void>; tell(): void } {
  let waiting = Promise.withResolvers<void>();
  return {
    next: () => waiting.promise,
    tell: () => {
      waiting.resolve();
      waiting = Promise.withResolvers();
    },
  };
}
