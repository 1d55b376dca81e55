import { crc32 } from "node:zlib";
import type {
  DeliverySource,
  IgnoredAtDoor,
  NewDelivery,
  StoredDelivery,
} from "@loopwork/core/ports";

/**
 * A delivery as it lies in a segment. `body` is null when it was never kept, or when it was dropped
 * after it was handed on.
 */
export type Entry = StoredDelivery & {
  readonly body: Buffer | null;
  readonly ignored: IgnoredAtDoor | null;
};

/**
 * A frame is `length u32, crc u32, payload`; numbers are little-endian, the CRC is seeded with the
 * segment's number.
 */
export const frameBytes = 8;

const version = 1;
const fixedBytes = 24;
const sources: readonly DeliverySource[] = ["webhook", "poll", "cli", "api"];
const ignoredReasons: readonly (IgnoredAtDoor | null)[] = [
  null,
  "event-not-listed",
  "ping",
  "unknown-event",
];
const flag = { verified: 1, body: 2 } as const;

/** Bytes that a delivery takes in a segment, frame included. */
export function sizeOf(delivery: NewDelivery): number {
  return (
    frameBytes +
    fixedBytes +
    delivery.id.length +
    delivery.event.length +
    delivery.digest.length +
    (delivery.body?.length ?? 0)
  );
}

/**
 * Writes everything but the body: frame, fixed part and names, to be followed by the body as it is.
 * Seeding the CRC with the segment's number makes records of an earlier life of a recycled segment
 * invalid.
 */
export function encodeHead(delivery: NewDelivery, seq: number, segment: number): Buffer {
  const { id, event, digest, body } = delivery;
  const names = id + event + digest;
  const head = Buffer.allocUnsafe(frameBytes + fixedBytes + names.length);
  const at = frameBytes;
  head[at] = version;
  head[at + 1] = (delivery.verified ? flag.verified : 0) | (body === null ? 0 : flag.body);
  head[at + 2] = sources.indexOf(delivery.source);
  head[at + 3] = ignoredReasons.indexOf(delivery.ignored);
  head.writeDoubleLE(seq, at + 4);
  head.writeDoubleLE(delivery.receivedAt, at + 12);
  head[at + 20] = checkedLength(id);
  head[at + 21] = checkedLength(event);
  head[at + 22] = checkedLength(digest);
  head[at + 23] = 0;
  head.write(names, at + fixedBytes, "latin1");
  head.writeUInt32LE(fixedBytes + names.length + (body?.length ?? 0), 0);
  const crc = crc32(head.subarray(frameBytes), segment);
  head.writeUInt32LE(body === null ? crc : crc32(body, crc), 4);
  return head;
}

/**
 * Reads a payload whose CRC held; null when it is no record of this version. The body shares the
 * payload's memory.
 */
export function decode(payload: Buffer): Entry | null {
  if (payload.length < fixedBytes || payload[0] !== version) return null;
  const source = sources[payload[2] ?? -1];
  const ignored = ignoredReasons[payload[3] ?? -1];
  const idEnd = fixedBytes + (payload[20] ?? 0);
  const eventEnd = idEnd + (payload[21] ?? 0);
  const digestEnd = eventEnd + (payload[22] ?? 0);
  if (source === undefined || ignored === undefined || digestEnd > payload.length) return null;
  const flags = payload[1] ?? 0;
  return {
    seq: payload.readDoubleLE(4),
    id: payload.toString("latin1", fixedBytes, idEnd),
    source,
    event: payload.toString("latin1", idEnd, eventEnd),
    verified: (flags & flag.verified) !== 0,
    receivedAt: payload.readDoubleLE(12),
    digest: payload.toString("latin1", eventEnd, digestEnd),
    ignored,
    body: (flags & flag.body) === 0 ? null : payload.subarray(digestEnd),
  };
}

/** True when the payload's bytes are those that were framed in this segment. */
export function isIntact(payload: Buffer, crc: number, segment: number): boolean {
  return crc32(payload, segment) === crc;
}

/** Most bytes of a record that come before its body: enough to read who it is. */
export const longestHead: number = frameBytes + fixedBytes + 3 * 255;

function checkedLength(name: string): number {
  if (name.length > 255)
    throw new RangeError(`a name of ${name.length} characters does not fit a record`);
  return name.length;
}
