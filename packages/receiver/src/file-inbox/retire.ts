import { closeSync, openSync, renameSync } from "node:fs";
import { open } from "node:fs/promises";
import { setImmediate as breathe } from "node:timers/promises";
import { flushDirectory } from "./disk.ts";
import { encodeHead, sizeOf } from "./record.ts";
import { rewritePath, sparePath } from "./recover.ts";
import {
  encodeHeader,
  endMark,
  headerBytes,
  scanHeads,
  type Segment,
  segmentPath,
} from "./segment.ts";

/** A record that has a new place within its segment. */
export type Moved = {
  readonly id: string;
  readonly event: string;
  readonly digest: string;
  readonly from: number;
  readonly to: number;
};

/** A retired segment, and the file whose blocks are free. */
export type Retired = {
  readonly segment: Segment;
  readonly spare: string;
  readonly moved: readonly Moved[];
};

const recordsPerBreath = 64;

/**
 * Drops the bodies of a segment whose deliveries were all handed on; ids and digests stay for good.
 * The steps: write `rewrite-N` and flush it; move the segment aside as `spare-N`; put the rewrite
 * in its place. A crash after the second step is finished by the next opening, one before it
 * undone. The old blocks are used again for a later segment: overwriting is several times cheaper
 * than growing a file.
 */
export async function retire(
  directory: string,
  segment: Segment,
  whenMoved: (retired: Retired) => void,
): Promise<void> {
  const moved = await rewrite(directory, segment);
  const spare = sparePath(directory, segment.number);
  const path = segmentPath(directory, segment.number);
  // In one go with `whenMoved`: no look-up may meet the new file with an old place.
  renameSync(path, spare);
  renameSync(rewritePath(directory, segment.number), path);
  whenMoved({ segment: { ...segment, end: moved.end, bodyBytes: 0 }, spare, moved: moved.records });
  await flushDirectory(directory);
}

async function rewrite(
  directory: string,
  segment: Segment,
): Promise<{ readonly records: readonly Moved[]; readonly end: number }> {
  const source = openSync(segmentPath(directory, segment.number), "r");
  const target = await open(rewritePath(directory, segment.number), "w", 0o600);
  try {
    const records: Moved[] = [];
    const heads: Buffer[] = [encodeHeader(segment.number)];
    let end = headerBytes;
    for (const { entry, offset } of scanHeads(source, segment)) {
      const bare = { ...entry, body: null };
      heads.push(encodeHead(bare, entry.seq, segment.number));
      records.push({
        id: entry.id,
        event: entry.event,
        digest: entry.digest,
        from: offset,
        to: end,
      });
      end += sizeOf(bare);
      if (records.length % recordsPerBreath === 0) await breathe();
    }
    await target.writeFile(Buffer.concat([...heads, endMark]));
    await target.sync();
    return { records, end };
  } finally {
    closeSync(source);
    await target.close();
  }
}
