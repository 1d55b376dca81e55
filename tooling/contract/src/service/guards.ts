import { readFileSync } from "node:fs";
import type { RuntimeParts, RuntimeSettings } from "@loopwork/runtime";

/**
 * Parts whose clock is ahead by as many milliseconds as stand in a file, so that a row lets an hour
 * pass in a moment.
 */
export function aheadBy(file: string, parts: RuntimeParts): RuntimeParts {
  const ahead = (): number => Number(readFileSync(file, "utf8"));
  return { ...parts, clock: { now: () => parts.clock.now() + ahead() } };
}

/**
 * What keeps two processes out of one conversation is the lock of the session; before it is relied
 * on, the harness's own register is looked at, which is a hint. They are taken away by putting
 * something in front of the ports; the service's own code stays as it is.
 */
export const withoutGuards = {
  /** The lock alone is left. */
  "without-register": (parts: RuntimeParts): RuntimeParts => {
    const { A } = parts.harnesses;
    return {
      ...parts,
      settings: () => lookingSoon(parts),
      harnesses: {
        ...parts.harnesses,
        A: A === null ? null : { ...A, isHeldElsewhere: () => Promise.resolve(false) },
      },
    };
  },
  /** Neither is left. */
  "without-lock": (parts: RuntimeParts): RuntimeParts => ({
    ...withoutGuards["without-register"](parts),
    locks: {
      ...parts.locks,
      acquire: (name) =>
        name.startsWith("session-")
          ? Promise.resolve({ name, release: () => Promise.resolve() })
          : parts.locks.acquire(name),
    },
  }),
};

/**
 * Whoever finds a conversation taken looks again after a second, so that a row need not wait for
 * half a minute.
 */
function lookingSoon(parts: RuntimeParts): RuntimeSettings {
  const settings = parts.settings();
  return {
    ...settings,
    dispatch: { ...settings.dispatch, retry: { ...settings.dispatch.retry, sessionBusyMs: 1_000 } },
  };
}

export type Without = keyof typeof withoutGuards;

export function isWithout(name: string | undefined): name is Without {
  return name !== undefined && name in withoutGuards;
}
