/**
 * How often the event loop came round while `work` went on, and what the thread computed meanwhile,
 * in milliseconds: in the `longest` turn, and in all.
 */
export async function turnsDuring(
  work: () => Promise<unknown>,
): Promise<{ readonly turns: number; readonly longest: number; readonly all: number }> {
  const began = process.threadCpuUsage();
  let [turns, longest, goesOn, last] = [0, 0, true, 0];
  const spent = (): number => {
    const { user, system } = process.threadCpuUsage(began);
    return (user + system) / 1_000;
  };
  const count = (): void => {
    turns += 1;
    longest = Math.max(longest, spent() - last);
    last = spent();
    if (goesOn) setImmediate(count);
  };
  setImmediate(count);
  await work().finally(() => (goesOn = false));
  return { turns, longest, all: spent() };
}
