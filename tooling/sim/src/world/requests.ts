import type { TurnFiles } from "@loopwork/runtime";
import type { Life } from "./life.ts";
import type { Machine } from "./machine.ts";

type Carry = Parameters<TurnFiles["answerRequests"]>[1];
type Request = { readonly name: string; readonly body: Parameters<Carry>[0]; answered: boolean };

/**
 * What agents ask the dispatcher for, in the folders of their turns: it stays there until it is
 * answered.
 */
export type Requests = {
  ask(turnDir: string, body: Request["body"], onAnswer: () => void): void;
  /** What nobody has answered yet. */
  open(): number;
  filesOf(machine: Machine, life: Life, checkouts: ReadonlyMap<string, string>): TurnFiles;
};

export function createRequests(): Requests {
  const folders = new Map<string, (Request & { readonly onAnswer: () => void })[]>();
  return {
    ask(turnDir, body, onAnswer) {
      const folder = folders.get(turnDir) ?? [];
      folders.set(turnDir, folder);
      folder.push({ name: `r${folder.length + 1}`, body, answered: false, onAnswer });
    },
    open: () => [...folders.values()].flat().filter(({ answered }) => !answered).length,
    filesOf: (machine, life, checkouts) => ({
      exists: (path) => checkouts.has(path) || machine.files.has(path),
      makeFolder: () => {},
      async *lines(file) {
        yield* machine.files.get(file) ?? [];
      },
      tail: () => Promise.resolve(""),
      reminders: () => Promise.resolve(0),
      readNote: () => null,
      writeNote: () => {},
      removeNote: () => {},
      async answerRequests(turnDir, carryOut) {
        const waiting = (folders.get(turnDir) ?? []).filter(({ answered }) => !answered);
        for (const request of waiting) {
          await carryOut(request.body, request.name);
          await life.call("answer", async () => {
            request.answered = true;
            request.onAnswer();
          });
        }
        return waiting.length;
      },
      waitingRequests: async (turnDir) =>
        (folders.get(turnDir) ?? []).filter(({ answered }) => !answered).map(({ name }) => name),
    }),
  };
}
