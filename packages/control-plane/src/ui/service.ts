import { createContext } from "preact";
import { useCallback, useContext, useEffect, useRef, useState } from "preact/hooks";
import { type Ask, Unanswered } from "./api/ask.ts";
import type { Freshness, Live } from "./api/live.ts";

/** How parts of the page reach the service. */
export type Service = { readonly ask: Ask; readonly live: Live; readonly refused: () => void };

export const ServiceContext = createContext<Service | null>(null);

export function useService(): Service {
  const service = useContext(ServiceContext);
  if (service === null) throw new Error("this part stands outside of the page");
  return service;
}

/** `answer` stays what it was while a later question goes unanswered; `trouble` then says why. */
export type Answered<T> = {
  readonly answer: T | null;
  readonly trouble: Unanswered | null;
  readonly again: () => void;
};

/**
 * What `load` answers, asked anew whenever something may have changed. `name` says what is asked
 * for: another one begins anew.
 */
export function useAnswer<T>(name: string, load: (ask: Ask) => Promise<T>): Answered<T> {
  const { ask, live, refused } = useService();
  const [state, setState] = useState<{
    readonly name: string;
    readonly answer: T | null;
    readonly trouble: Unanswered | null;
  }>({ name, answer: null, trouble: null });
  const loading = useRef(load);
  loading.current = load;
  const newest = useRef(0);
  const again = useCallback(() => {
    const number = ++newest.current;
    loading.current(ask).then(
      (answer) => {
        live.answered(true);
        if (number === newest.current) setState({ name, answer, trouble: null });
      },
      (error: unknown) => {
        const trouble =
          error instanceof Unanswered
            ? error
            : new Unanswered(0, "This page met a fault.", String(error));
        live.answered(trouble.status !== 0);
        if (trouble.status === 401 || trouble.status === 429) refused();
        if (number === newest.current)
          setState((before) => ({
            name,
            answer: before.name === name ? before.answer : null,
            trouble,
          }));
      },
    );
  }, [ask, live, name, refused]);
  useEffect(() => {
    again();
    const end = live.onChange(again);
    return () => {
      newest.current++;
      end();
    };
  }, [again, live]);
  return state.name === name
    ? { answer: state.answer, trouble: state.trouble, again }
    : { answer: null, trouble: null, again };
}

export function useFreshness(): Freshness {
  const { live } = useService();
  const [freshness, setFreshness] = useState<Freshness>("asking");
  useEffect(() => live.onFreshness(setFreshness), [live]);
  return freshness;
}

/** The time, told anew every ten seconds. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
