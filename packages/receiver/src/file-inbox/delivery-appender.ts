import { type Acceptance, InboxUnavailable, type NewDelivery } from "@loopwork/core/ports";
import type { Dedupe } from "./dedupe.ts";
import { createGroupCommit } from "./group-commit.ts";
import { sizeOf } from "./record.ts";
import { FlushFailed, type Writer } from "./segment-writer.ts";

export type AppenderOptions = {
  readonly dedupe: Dedupe;
  readonly writer: Writer;
  /** True: too much waits to be handed on. */
  readonly isBehind: () => boolean;
  /** Bytes that may wait in memory for their commit. */
  readonly maxWaitingBytes: number;
  /** Called after each commit. */
  readonly onCommitted: () => void;
};

/**
 *     open ──close──▶ closed
 *       └──a flush fails──▶ broken ──close──▶ closed
 *
 * A broken one refuses everything: nobody knows what the disk holds until the log is read again.
 */
export type Appender = {
  append(delivery: NewDelivery): Promise<Acceptance>;
  /** Resolves with the error that broke it. */
  readonly failed: Promise<Error>;
  /** Takes nothing more, and resolves when what waited is settled. */
  close(): Promise<void>;
};

type Item = { readonly delivery: NewDelivery; seq: number };

const largestCommit = 8 * 1024 * 1024;

/** Puts new deliveries into groups, and answers repeated ones once the first of them is durable. */
export function createAppender({
  dedupe,
  writer,
  isBehind,
  maxWaitingBytes,
  onCommitted,
}: AppenderOptions): Appender {
  const group = createGroupCommit<Item>(commit, largestCommit);
  const failed = Promise.withResolvers<Error>();
  let broken: string | null = null;
  let closed = false;

  async function append(delivery: NewDelivery): Promise<Acceptance> {
    if (broken !== null || closed) throw unavailable(broken ?? "the inbox is closed");
    const repeated = dedupe.find(delivery);
    if (repeated !== null) return repeated;
    if (group.waiting().bytes > maxWaitingBytes || isBehind())
      throw new InboxUnavailable("LOOP_E_BACKLOG_FULL", "Too many deliveries are queued");
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
      for (const [n, { delivery, seq, segment, offset }] of written.entries()) {
        const item = items[n];
        if (item !== undefined) item.seq = seq;
        dedupe.remember(delivery, segment, offset);
      }
      onCommitted();
      return written.length;
    } catch (error) {
      if (error instanceof FlushFailed) breakWith(error);
      throw unavailable(error instanceof Error ? error.message : String(error));
    }
  }

  function breakWith(error: Error): void {
    broken = `the inbox must be opened anew: ${error.message}`;
    failed.resolve(error);
  }

  function close(): Promise<void> {
    closed = true;
    return group.idle();
  }

  return { append, failed: failed.promise, close };
}

function unavailable(why: string): InboxUnavailable {
  return new InboxUnavailable("LOOP_E_STORE_UNAVAILABLE", why);
}
