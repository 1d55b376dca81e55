import { LoopError } from "@loopwork/core/ports";
import { goneAfterAdoption } from "../processes/gone-after-adoption.ts";
import type { ChildInput, Exit, StartedChild } from "../processes/start-child.ts";
import type { Asked, Said } from "./messages.ts";

/**
 * What is known of one child of a broker. `started` rejects with the system's error, or
 * `LOOP_E_BROKER` when nobody knows.
 */
export type BrokersChild = {
  readonly started: Promise<StartedChild>;
  told(said: Said): void;
  /** The broker is no more. */
  lost(): void;
};

/**
 * A child, as seen from here. The broker may be lost at any moment: its exit codes and the way to
 * standard input go with it, the children do not.
 *
 *     asked ──started──▶ running ──exited──▶ over
 *       │ └──refused──▶ over: rejected, with the system's reason
 *       │                   └──broker lost──▶ over: looked at from outside until it is gone, ended without a code
 *       └──broker lost──▶ over: rejected; a child there may be reads an empty input and does nothing
 */
export function followChild(id: number, send: (asked: Asked) => void): BrokersChild {
  const started = Promise.withResolvers<StartedChild>();
  const exit = Promise.withResolvers<Exit>();
  const writing: (() => void)[] = [];
  /** What a lost broker means now; null once it means nothing. */
  let whenLost: (() => void) | null = () => started.reject(unknownStart());

  const input: ChildInput = {
    end: () => send({ kind: "end-input", id }),
    async write(text) {
      if (whenLost === null) return;
      const written = new Promise<void>((resolve) => writing.push(resolve));
      send({ kind: "write", id, text });
      await written;
    },
  };
  function over(): void {
    whenLost = null;
    for (const done of writing.splice(0)) done();
  }

  return {
    started: started.promise,
    told(said) {
      if (said.kind === "written") writing.shift()?.();
      if (said.kind === "started") {
        whenLost = () => exit.resolve(goneAfterAdoption(said.identity));
        started.resolve({ identity: said.identity, exit: exit.promise, input });
      }
      if (said.kind === "refused") {
        started.reject(refusalOf(said));
        over();
      }
      if (said.kind === "exited") {
        exit.resolve(said.exit);
        over();
      }
    },
    lost() {
      whenLost?.();
      over();
    },
  };
}

/** The system's error, or the program's own, as it was over there. */
export function refusalOf({ code, message }: Extract<Said, { readonly kind: "refused" }>): Error {
  return Object.assign(new Error(message), code === null ? {} : { code });
}

function unknownStart(): LoopError {
  return new LoopError(
    "LOOP_E_BROKER",
    "the process that starts children ended before it said what became of one",
    "nothing to do: another is started, and the work is taken up again",
  );
}
