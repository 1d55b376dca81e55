/** What was opened, to be closed in reverse order, also when a start fails half-way. */
export type Unwind = {
  defer(what: string, close: () => unknown): void;
  /**
   * Closes everything once; a part that fails to close is told to `onFault`, and the rest is closed
   * all the same.
   */
  run(): Promise<void>;
};

export function createUnwind(onFault: (what: string, error: unknown) => void): Unwind {
  const opened: { readonly what: string; readonly close: () => unknown }[] = [];
  return {
    defer: (what, close) => void opened.push({ what, close }),
    async run() {
      for (let each = opened.pop(); each !== undefined; each = opened.pop()) {
        try {
          await each.close();
        } catch (error) {
          onFault(each.what, error);
        }
      }
    },
  };
}
