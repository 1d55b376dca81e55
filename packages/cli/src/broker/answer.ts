import { refusalOf } from "./brokers-child.ts";
import type { Said } from "./messages.ts";

/**
 * A question that was put to a broker; `answer` rejects with the program's error, or when nobody
 * knows what became of it.
 */
export type Answer<A> = { readonly answer: Promise<A>; told(said: Said): void; lost(): void };

/**
 * A question, as seen from here: asked once, answered once. `read` takes the answer out of what was
 * said; null for what is none. `unknown` is the error when the broker is lost.
 */
export function followAnswer<A>(read: (said: Said) => A | null, unknown: () => Error): Answer<A> {
  const { promise, resolve, reject } = Promise.withResolvers<A>();
  return {
    answer: promise,
    told(said) {
      const answer = read(said);
      if (answer !== null) resolve(answer);
      if (said.kind === "refused") reject(refusalOf(said));
    },
    lost: () => reject(unknown()),
  };
}
