/**
 * Commits items in groups: whoever comes while a commit is under way waits for the next one (no
 * timers).
 */
export type GroupCommit<T> = {
  /**
   * Resolves when a commit that holds the item has ended well, rejects with that commit's error
   * otherwise.
   */
  add(item: T, size: number): Promise<void>;
  /** Items and bytes that wait or are being committed. */
  waiting(): { readonly items: number; readonly bytes: number };
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>;
};

type Waiter<T> = {
  readonly item: T;
  readonly size: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

/**
 * The commit in progress is the batching window: alone, an item is committed at once; under load,
 * groups grow as long as a commit takes. `commit` gets at most `maxBytes` at a time, but always one
 * item; it resolves with how many of them, from the front, are durable now; the others go first
 * into the next group.
 */
export function createGroupCommit<T>(
  commit: (items: readonly T[]) => Promise<number>,
  maxBytes: number,
): GroupCommit<T> {
  let queue: Waiter<T>[] = [];
  let items = 0;
  let bytes = 0;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (queue.length > 0) {
      const group = takeGroup();
      try {
        const durable = await commit(group.map((waiter) => waiter.item));
        if (durable < group.length) queue = [...group.slice(durable), ...queue];
        for (const waiter of group.slice(0, durable)) settle(waiter).resolve();
      } catch (error) {
        for (const waiter of group) settle(waiter).reject(error);
      }
    }
    running = null;
  }

  function settle(waiter: Waiter<T>): Waiter<T> {
    items -= 1;
    bytes -= waiter.size;
    return waiter;
  }

  function takeGroup(): readonly Waiter<T>[] {
    let size = 0;
    const over = queue.findIndex((waiter, n) => (size += waiter.size) > maxBytes && n > 0);
    const group = over === -1 ? queue : queue.slice(0, over);
    queue = over === -1 ? [] : queue.slice(over);
    return group;
  }

  return {
    add: (item, size) =>
      new Promise((resolve, reject) => {
        items += 1;
        bytes += size;
        queue.push({ item, size, resolve, reject });
        running ??= run();
      }),
    waiting: () => ({ items, bytes }),
    idle: () => running ?? Promise.resolve(),
  };
}
