import type { NewDelivery } from "@loopwork/core/ports";
import type { Disk, DiskFile } from "./disk.ts";
import { encodeHead, sizeOf } from "./record.ts";
import { encodeHeader, endMark, headerBytes, type Segment, segmentPath } from "./segment.ts";

export type WriterOptions = {
  readonly directory: string;
  readonly disk: Disk;
  /** Size at which a segment is finished, in bytes; a single larger record still gets one. */
  readonly segmentBytes: number;
  readonly nextSeq: number;
  readonly nextNumber: number;
  /** A finished file whose blocks may be used again, or null. */
  readonly takeSpare: () => string | null;
  /** Called with each segment that is finished. */
  readonly onFinished: (segment: Segment) => void;
};

/** A record that is durable. */
export type Written = {
  readonly delivery: NewDelivery;
  readonly seq: number;
  readonly segment: number;
  readonly offset: number;
  readonly size: number;
};

/** The flush failed: what is on the disk is unknown until the log is read again. */
export class FlushFailed extends Error {
  override readonly name: string = "FlushFailed";
}

type Open = {
  readonly number: number;
  readonly file: DiskFile;
  readonly firstSeq: number;
  end: number;
  records: number;
  bodyBytes: number;
};

/**
 * Writes groups of records to the open segment, each group durable before the next. A failed write
 * leaves the log as it was and may be tried again; after a failed flush the writer must not be used
 * any more.
 */
export type Writer = {
  /**
   * Makes as many of the deliveries durable, from the front, as the segment takes: at least one.
   */
  append(deliveries: readonly NewDelivery[]): Promise<readonly Written[]>;
  /** The segment being written; null before the first record. */
  current(): Segment | null;
  close(): Promise<void>;
};

/**
 * A writer that opens its first segment with its first record, so that opening a log for nothing
 * leaves nothing.
 */
export function createWriter(options: WriterOptions): Writer {
  let seq = options.nextSeq;
  let number = options.nextNumber;
  let open: Open | null = null;

  async function append(deliveries: readonly NewDelivery[]): Promise<readonly Written[]> {
    const target = await segmentFor(deliveries[0]);
    return writeGroup(
      target,
      deliveries.slice(0, countFitting(deliveries, options.segmentBytes - target.end)),
    );
  }

  async function segmentFor(next: NewDelivery | undefined): Promise<Open> {
    if (
      open !== null &&
      (open.records === 0 ||
        next === undefined ||
        open.end + sizeOf(next) + endMark.length <= options.segmentBytes)
    )
      return open;
    await finish();
    // The number is spent even when creating fails half-way: the next attempt must not meet the
    // remains.
    const mine = number;
    number += 1;
    const file = await options.disk.create(
      segmentPath(options.directory, mine),
      options.takeSpare(),
      options.directory,
    );
    open = { number: mine, file, firstSeq: seq, end: headerBytes, records: 0, bodyBytes: 0 };
    return open;
  }

  async function writeGroup(
    target: Open,
    deliveries: readonly NewDelivery[],
  ): Promise<readonly Written[]> {
    const buffers: Buffer[] = target.records === 0 ? [encodeHeader(target.number)] : [];
    const written: Written[] = [];
    let offset = target.end;
    let bodyBytes = 0;
    for (const delivery of deliveries) {
      const size = sizeOf(delivery);
      written.push({ delivery, seq: seq + written.length, segment: target.number, offset, size });
      buffers.push(encodeHead(delivery, seq + written.length - 1, target.number));
      if (delivery.body !== null) buffers.push(asBuffer(delivery.body));
      offset += size;
      bodyBytes += delivery.body?.length ?? 0;
    }
    buffers.push(endMark);
    await writeDurably(target, buffers, target.records === 0 ? 0 : target.end);
    seq += written.length;
    target.end = offset;
    target.records += written.length;
    target.bodyBytes += bodyBytes;
    return written;
  }

  async function finish(): Promise<void> {
    if (open === null) return;
    const finished = segmentOf(open);
    await open.file.close();
    open = null;
    options.onFinished(finished);
  }

  return { append, current: () => (open === null ? null : segmentOf(open)), close: finish };
}

/**
 * Write, then flush. A short or failed write is cut off again; if even that fails, the end of the
 * log is unknown.
 */
async function writeDurably(
  target: Open,
  buffers: readonly Buffer[],
  offset: number,
): Promise<void> {
  try {
    await target.file.write(buffers, offset);
  } catch (error) {
    await target.file.truncate(target.records === 0 ? 0 : target.end).catch((cause: unknown) => {
      throw new FlushFailed("the log could not be cut back after a failed write", { cause });
    });
    throw error;
  }
  await target.file.flush().catch((cause: unknown) => {
    throw new FlushFailed("the log could not be flushed", { cause });
  });
}

function countFitting(deliveries: readonly NewDelivery[], room: number): number {
  let size = endMark.length;
  const over = deliveries.findIndex((delivery, n) => (size += sizeOf(delivery)) > room && n > 0);
  return over === -1 ? deliveries.length : over;
}

function segmentOf(open: Open): Segment {
  return {
    number: open.number,
    firstSeq: open.records === 0 ? 0 : open.firstSeq,
    lastSeq: open.firstSeq + open.records - 1,
    end: open.end,
    bodyBytes: open.bodyBytes,
  };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
