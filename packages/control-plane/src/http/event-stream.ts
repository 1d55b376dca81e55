import type { IncomingMessage, ServerResponse } from "node:http";
import { type EventQuery, formatRef, LoopError } from "@loopwork/core/ports";
import { z } from "zod";
import { InputRejected, inputProblems } from "../operations/input-rejected.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { eventKind, eventViewOf } from "../shapes/event.ts";
import { refInput } from "../shapes/words.ts";
import { quietJson } from "./json.ts";

export type StreamBounds = {
  /** Streams that may be open at once. */
  readonly streams: number;
  /** How often the log is looked at while anybody listens, milliseconds. */
  readonly lookMs: number;
  /** How long a reader may leave what was sent unread, milliseconds; then it is dropped. */
  readonly drainMs: number;
  /** How often a quiet stream says that it lives, milliseconds. */
  readonly aliveMs: number;
};

export const streamBounds: StreamBounds = {
  streams: 32,
  lookMs: 250,
  drainMs: 15_000,
  aliveMs: 15_000,
};

export type EventStream = {
  route(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): void;
};

const pageSize = 100;
const filters = z.strictObject({ kind: eventKind.optional(), workItem: refInput.optional() });

/**
 * New lines of the event log as server-sent events. The id of each is that of the line, so that a
 * reader that comes back with `Last-Event-ID` misses none; without it a stream begins with what
 * happens next. The next line is written once a reader has taken the last, so that a slow one costs
 * no memory, and one that takes nothing for a while is dropped.
 */
export function createEventStream(
  { records, policy, steering }: ControlPlanePorts,
  onFault: (error: unknown) => void,
  bounds: StreamBounds = streamBounds,
): EventStream {
  const open = new Set<ServerResponse>();
  const feed = createFeed(
    async () => (await records.events.list({ newestFirst: true, limit: 1 }))[0]?.id ?? 0,
    onFault,
    bounds.lookMs,
  );

  async function send(
    response: ServerResponse,
    from: number,
    filter: Omit<EventQuery, "limit">,
  ): Promise<void> {
    let position = from;
    while (!response.closed) {
      const seen = await feed.newest();
      const lines = await records.events.list({ ...filter, afterId: position, limit: pageSize });
      for (const line of lines) {
        response.write(`id: ${line.id}\ndata: ${quietJson(eventViewOf(line, policy()))}\n\n`);
        if (!(await drained(response, bounds.drainMs))) return void response.destroy();
      }
      position =
        lines.length < pageSize
          ? Math.max(position, seen, lines.at(-1)?.id ?? 0)
          : (lines.at(-1)?.id ?? position);
      if (lines.length < pageSize) await feed.after(position, response, bounds.aliveMs);
    }
  }

  return {
    async route(request, response) {
      const filter = await filterOf(request, steering);
      const resumed = resumedAt(request);
      if (open.size >= bounds.streams)
        throw new LoopError(
          "LOOP_E_STREAMS_FULL",
          `Too many open event streams (${bounds.streams})`,
          "Close one, or poll `/api/v1/events`",
        );
      open.add(response);
      feed.watch(open.size);
      response.once("close", () => {
        open.delete(response);
        feed.watch(open.size);
      });
      const from = Math.min(resumed ?? Infinity, await feed.look());
      response
        .writeHead(200, { "content-type": "text/event-stream; charset=utf-8" })
        .write("retry: 2000\n\n");
      send(response, from, filter).catch((error: unknown) => {
        onFault(error);
        response.destroy();
      });
    },
    close() {
      for (const response of open) response.destroy();
      feed.watch(0);
    },
  };
}

async function filterOf(
  request: IncomingMessage,
  steering: ControlPlanePorts["steering"],
): Promise<Omit<EventQuery, "limit">> {
  const query = Object.fromEntries(new URL(request.url ?? "/", "http://localhost").searchParams);
  const parsed = filters.safeParse(query);
  if (!parsed.success) throw new InputRejected(inputProblems(parsed.error));
  const { kind, workItem } = parsed.data;
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(workItem === undefined ? {} : { workItem: formatRef(await steering.ref(workItem)) }),
  };
}

/** The id after which a reader goes on; null for a new one. */
function resumedAt(request: IncomingMessage): number | null {
  const id = request.headers["last-event-id"];
  if (id === undefined || id === "") return null;
  if (typeof id !== "string" || !/^\d{1,15}$/.test(id))
    throw new InputRejected([{ path: "Last-Event-ID", message: "must be the id of an event" }]);
  return Number(id);
}

/** True once the reader has taken what was written; false when it has not in time, or is gone. */
function drained(response: ServerResponse, withinMs: number): Promise<boolean> {
  if (!response.writableNeedDrain) return Promise.resolve(!response.closed);
  return new Promise((resolve) => {
    const done = (taken: boolean): void => {
      clearTimeout(timer);
      response.off("drain", onDrain).off("close", onClose);
      resolve(taken);
    };
    const onDrain = (): void => done(true);
    const onClose = (): void => done(false);
    const timer = setTimeout(() => done(false), withinMs);
    response.once("drain", onDrain).once("close", onClose);
  });
}

type Feed = {
  /** Looks at the log while there are listeners. */
  watch(listeners: number): void;
  look(): Promise<number>;
  newest(): Promise<number>;
  /**
   * Resolves once there is a line after `id`, or the reader is gone; until then it hears now and
   * then that the stream lives.
   */
  after(id: number, response: ServerResponse, aliveMs: number): Promise<void>;
};

/** One look at the log for all who listen. */
function createFeed(
  read: () => Promise<number>,
  onFault: (error: unknown) => void,
  everyMs: number,
): Feed {
  let newest = 0;
  let timer: NodeJS.Timeout | null = null;
  const waiting = new Set<() => void>();
  const look = async (): Promise<number> => {
    newest = await read();
    for (const wake of [...waiting]) wake();
    return newest;
  };
  return {
    look,
    newest: async () => newest,
    watch(listeners) {
      if (listeners > 0) timer ??= setInterval(() => void look().catch(onFault), everyMs);
      else if (timer !== null) {
        clearInterval(timer);
        timer = null;
      }
    },
    after: (id, response, aliveMs) =>
      new Promise((resolve) => {
        const alive = setInterval(
          () =>
            response.writableNeedDrain ? response.destroy() : response.write(": still here\n\n"),
          aliveMs,
        );
        const wake = (): void => {
          if (newest <= id && !response.closed) return;
          clearInterval(alive);
          waiting.delete(wake);
          response.off("close", wake);
          resolve();
        };
        waiting.add(wake);
        response.once("close", wake);
        wake();
      }),
  };
}
