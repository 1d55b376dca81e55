/** How often the event loop came round while `work` went on. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, goesOn] = [0, true];
  const count = (): void => {
    turns += 1;
    if (goesOn) setImmediate(count);
  };
  setImmediate(count);
  await work().finally(() => (goesOn = false));
  return turns;
}
