/** A test that would go on without end; nothing it does from here on succeeds. */
export class TooManySteps extends Error {}

/**
 * What planted files ask, at every place with a mutant: which one is on, and note that this place
 * was reached. Steps are counted here, so that an endless loop ends after a number of steps that no
 * busy machine changes.
 */
export const switchboard: {
  mutant: string;
  steps: number;
  limit: number;
  reached: Set<string> | null;
  readClock: boolean;
} = { mutant: "", steps: 0, limit: Number.POSITIVE_INFINITY, reached: null, readClock: false };

Object.assign(globalThis, {
  __loopMutation: {
    active(id: string): boolean {
      if (++switchboard.steps > switchboard.limit)
        throw new TooManySteps(`more than ${switchboard.limit} steps`);
      return id === switchboard.mutant;
    },
    cover(...ids: readonly string[]): void {
      if (switchboard.reached !== null) for (const id of ids) switchboard.reached.add(id);
    },
  },
});

/** What a piece of work reaches, and how many steps it takes. */
export async function reaching<T>(work: () => Promise<T>): Promise<{
  readonly result: T;
  readonly reached: ReadonlySet<string>;
  readonly steps: number;
  readonly readClock: boolean;
}> {
  const reached = new Set<string>();
  Object.assign(switchboard, { reached, steps: 0, readClock: false });
  const result = await work();
  switchboard.reached = null;
  return { result, reached, steps: switchboard.steps, readClock: switchboard.readClock };
}

/**
 * Milliseconds of this thread's own work since `began`: what else the machine does changes it
 * little.
 */
const threadCpuUsage = process.threadCpuUsage.bind(process);
export function cpuMs(began: NodeJS.CpuUsage): number {
  const { user, system } = threadCpuUsage(began);
  return (user + system) / 1_000;
}
export const cpuNow = (): NodeJS.CpuUsage => threadCpuUsage();

/**
 * A test that asks what time it is holds something to a limit, which planted code and a busy
 * machine break without a mutant.
 */
const now = performance.now.bind(performance);
performance.now = () => {
  switchboard.readClock = true;
  return now();
};
process.threadCpuUsage = (began) => {
  switchboard.readClock = true;
  return threadCpuUsage(began);
};
