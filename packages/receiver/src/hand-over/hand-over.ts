import type { Entry } from "../file-inbox/record.ts";
import type { FileInbox } from "../file-inbox/file-inbox.ts";
import type { Cursor } from "./cursor.ts";

/** A delivery that is handed on: ignored ones are not, so the body is there. */
export type Handed = Entry & { readonly body: Buffer };

/** Takes deliveries one by one. Resolves when the delivery is safe with whoever gets it. */
export type Sink = (delivery: Handed, signal: AbortSignal) => Promise<void>;

export type HandOverOptions = {
  readonly inbox: FileInbox;
  readonly cursor: Cursor;
  readonly sink: Sink;
  readonly signal: AbortSignal;
  /**
   * Told about a stored delivery whose body is gone: the cursor file was removed, or is older than
   * what was kept.
   */
  readonly onWarning: (text: string) => void;
};

/** The cursor is written when this many deliveries were handed on, and when none waits. */
const cursorEvery = 64;

/**
 * Hands stored deliveries on in their order, each at least once, until `signal` fires. After a
 * crash up to 63 are handed on again, under the same ids.
 */
export async function handOver({
  inbox,
  cursor,
  sink,
  signal,
  onWarning,
}: HandOverOptions): Promise<void> {
  inbox.release(cursor.seq);
  const reader = inbox.reader(cursor.seq);
  while (await reader.more(signal)) {
    let seq = cursor.seq;
    for (const entry of reader.entries()) {
      if (entry.body !== null) await sink({ ...entry, body: entry.body }, signal);
      else if (entry.ignored === null)
        onWarning(
          `delivery ${entry.id} cannot be handed on: its body was dropped after it had been handed on before`,
        );
      // A sink that was interrupted did not hand this one on.
      if (signal.aborted) break;
      seq = entry.seq;
      if (seq - cursor.seq >= cursorEvery) await settle(inbox, cursor, seq);
    }
    await settle(inbox, cursor, seq);
  }
}

async function settle(inbox: FileInbox, cursor: Cursor, seq: number): Promise<void> {
  if (seq <= cursor.seq) return;
  await cursor.advance(seq);
  inbox.release(seq);
}
