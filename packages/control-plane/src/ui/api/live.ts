import type { Ask } from "./ask.ts";
import { splitMessages } from "../model/messages.ts";

/**
 * How what is shown is kept new: by the event stream, by asking again and again, or not at all
 * while nothing answers.
 */
export type Freshness = "live" | "asking" | "away";

export type Live = {
  /**
   * Calls back, not more often than twice a second, once something may have changed. Returns what
   * ends it.
   */
  onChange(changed: () => void): () => void;
  onFreshness(told: (freshness: Freshness) => void): () => void;
  /** Told by whoever asked for something whether it was answered. */
  answered(well: boolean): void;
  close(): void;
};

const askEveryMs = 5_000;
const gatherMs = 500;
const againAfterMs = 3_000;

/**
 * Follows the event stream and says that something happened; what, is asked for anew. Where there
 * is no stream it asks every five seconds. A page that nobody looks at asks for nothing, and
 * catches up once it is looked at.
 */
export function createLive(ask: Ask): Live {
  const changed = new Set<() => void>();
  const told = new Set<(freshness: Freshness) => void>();
  const end = new AbortController();
  let freshness: Freshness = "asking";
  let streaming = false;
  let gathering = false;
  const become = (next: Freshness): void => {
    if (next !== freshness) for (const tell of told) tell(next);
    freshness = next;
  };
  const change = (): void => {
    if (gathering || document.hidden) return;
    gathering = true;
    setTimeout(() => {
      gathering = false;
      for (const call of changed) call();
    }, gatherMs);
  };
  const timer = setInterval(() => !streaming && change(), askEveryMs);
  document.addEventListener("visibilitychange", change);
  const following = follow(ask, end.signal, {
    opened: () => ((streaming = true), become("live")),
    lost: () => ((streaming = false), become("asking")),
    message: change,
  });
  following.catch(() => undefined);
  return {
    onChange: (call) => (changed.add(call), () => void changed.delete(call)),
    onFreshness: (tell) => (told.add(tell), tell(freshness), () => void told.delete(tell)),
    answered: (well) => become(well ? (streaming ? "live" : "asking") : "away"),
    close() {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", change);
      end.abort();
    },
  };
}

type Followed = {
  readonly opened: () => void;
  readonly lost: () => void;
  readonly message: () => void;
};

/** Reads the stream and takes it up again where it was lost; ends where the service has none. */
async function follow(
  ask: Ask,
  signal: AbortSignal,
  { opened, lost, message }: Followed,
): Promise<void> {
  let last = "";
  while (!signal.aborted) {
    const response = await ask
      .open(
        "/events/stream",
        { accept: "text/event-stream", ...(last === "" ? {} : { "last-event-id": last }) },
        signal,
      )
      .catch(() => null);
    if (response !== null && !response.ok && response.status !== 503 && response.status !== 429)
      return;
    if (response?.ok === true && response.body !== null) {
      opened();
      message();
      await readAll(response.body, (id) => {
        last = id ?? last;
        message();
      }).catch(() => undefined);
      lost();
    }
    await new Promise((resolve) => setTimeout(resolve, againAfterMs));
  }
}

async function readAll(
  body: ReadableStream<Uint8Array>,
  message: (id: string | null) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for (const reader = body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return;
    const split = splitMessages(rest + decoder.decode(value, { stream: true }));
    rest = split.rest;
    for (const { id } of split.messages) message(id);
  }
}
