import { reportOfOrdinaryUser } from "@loopwork-tooling/contract";
import { median } from "./numbers.ts";

/** Milliseconds of each turn of one kind, in the order of the rounds. */
export type TurnTimes = {
  readonly sandboxed: boolean;
  readonly commands: number;
  readonly ms: number[];
};

/**
 * Result of `npm run bench -- sandbox`: what the sandbox adds, in milliseconds, and by how much a
 * turn of one command takes longer.
 */
export type SandboxResult = {
  readonly turns: readonly {
    readonly sandboxed: boolean;
    readonly commands: number;
    readonly p50Ms: number;
  }[];
  readonly addedPerStartMs: number;
  readonly addedPerCommandMs: number;
  readonly ratioOfOneCommandTurn: number;
};

export type SandboxBenchOptions = {
  readonly rounds?: number;
  readonly progress: (line: string) => void;
};

/** Commands of the longer turns: enough that one command's share shows beside the start. */
const many = 11;

/**
 * What Claude Code's sandbox adds to a turn: the real program with and without it, in turns,
 * against a loopback stand-in of the model that answers at once. Needs bubblewrap, socat and the
 * pinned Claude Code; as root it runs as another user.
 */
export function benchSandbox({ rounds = 10, progress }: SandboxBenchOptions): SandboxResult {
  progress(`sandbox: ${rounds} rounds of 4 turns`);
  const report = reportOfOrdinaryUser("tooling/bench/src/sandbox/time-turns.ts", [
    String(rounds),
    String(many),
  ]);
  const times: readonly TurnTimes[] = JSON.parse(report);
  const p50 = (sandboxed: boolean, commands: number): number =>
    median(
      times.find((each) => each.sandboxed === sandboxed && each.commands === commands)?.ms ?? [],
    );
  const addedTo = (commands: number): number => p50(true, commands) - p50(false, commands);
  const addedPerCommand = (addedTo(many) - addedTo(1)) / (many - 1);
  return {
    turns: times.map(({ sandboxed, commands }) => ({
      sandboxed,
      commands,
      p50Ms: Math.round(p50(sandboxed, commands)),
    })),
    addedPerStartMs: Math.round(addedTo(1) - addedPerCommand),
    addedPerCommandMs: Math.round(addedPerCommand),
    ratioOfOneCommandTurn: Math.round((p50(true, 1) / p50(false, 1)) * 100) / 100,
  };
}
