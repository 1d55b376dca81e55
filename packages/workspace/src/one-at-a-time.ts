/** Runs work under a name after everything that was asked for under the same name before. */
export type OneAtATime = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export function createOneAtATime(): OneAtATime {
  const tails = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const mine = (tails.get(name) ?? Promise.resolve()).then(work);
    const tail = mine.catch(() => undefined);
    tails.set(name, tail);
    void tail.then(() => {
      if (tails.get(name) === tail) tails.delete(name);
    });
    return mine;
  };
}
