import { connect, type Socket } from "node:net";
import { nameOf } from "./answers.ts";
import type { Input } from "./input.ts";

/**
 * Sends inputs as raw bytes, on a connection that is used again as long as both sides leave it
 * open.
 */
export type Wire = { send(input: Input): Promise<string>; close(): void };

/** Longest wait for an answer, in milliseconds; a request deadline of the service is 15 s. */
const patienceMs = 30_000;

export function createWire(ports: { readonly receiver: number; readonly service: number }): Wire {
  const open = new Map<Input["to"], Connection>();
  return {
    async send(input) {
      const kept = input.after === "go on" ? open.get(input.to) : undefined;
      if (kept !== undefined) open.delete(input.to);
      const connection = kept?.isUsable() === true ? kept : await openConnection(ports[input.to]);
      if (input.after === "cut") {
        await connection.cut(input.bytes);
        return "none";
      }
      const { name, goesOn } = await connection.exchange(input.bytes);
      // A connection that was left open may be closed for its idleness just as it is used again.
      if (connection === kept && name === "none") return this.send(input);
      if (input.after === "go on" && goesOn) open.set(input.to, connection);
      else connection.destroy();
      return name;
    },
    close() {
      for (const connection of open.values()) connection.destroy();
    },
  };
}

type Connection = {
  isUsable(): boolean;
  exchange(bytes: Buffer): Promise<{ readonly name: string; readonly goesOn: boolean }>;
  cut(bytes: Buffer): Promise<void>;
  destroy(): void;
};

async function openConnection(port: number): Promise<Connection> {
  const socket = await connected(port);
  let text = "";
  let look = (): void => {};
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    text += chunk;
    look();
  });
  socket.on("error", () => {});
  socket.on("close", () => look());
  return {
    isUsable: () => !socket.destroyed && text === "" && socket.readyState === "open",
    destroy: () => void socket.resetAndDestroy(), // No port is left waiting: there are more requests than ports.
    cut: (bytes) =>
      new Promise((resolve) => {
        const done = (): void => {
          socket.resetAndDestroy();
          resolve();
        };
        socket.once("close", () => resolve());
        socket.write(bytes, () => setTimeout(done, 2));
      }),
    exchange: (bytes) =>
      new Promise((resolve) => {
        const late = setTimeout(() => finish("late", false), patienceMs);
        const finish = (name: string, goesOn: boolean): void => {
          clearTimeout(late);
          look = () => {};
          resolve({ name, goesOn });
        };
        look = () => {
          const answer = takeAnswer(text, socket.closed);
          if (answer === null) return void (socket.closed && finish("none", false));
          text = answer.rest;
          finish(answer.name, answer.goesOn);
        };
        socket.write(bytes);
        look();
      }),
  };
}

/**
 * The first whole answer; without a length it ends where the connection does, and a stream counts
 * once it has begun.
 */
function takeAnswer(
  text: string,
  ended: boolean,
): { readonly name: string; readonly goesOn: boolean; readonly rest: string } | null {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const head = text.slice(0, headEnd);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  if (status === 100) return takeAnswer(text.slice(headEnd + 4), ended);
  const header = (name: string): string =>
    new RegExp(`^${name}:[ \t]*(.*)$`, "im").exec(head)?.[1]?.trim() ?? "";
  const type = header("content-type");
  const length = header("content-length");
  const after = text.slice(headEnd + 4);
  const read = bodyOf(
    after,
    length,
    header("transfer-encoding").toLowerCase() === "chunked",
    ended || type.startsWith("text/event-stream"),
  );
  if (read === null) return null;
  const goesOn =
    header("connection").toLowerCase() !== "close" &&
    !ended &&
    !type.startsWith("text/event-stream");
  return { name: nameOf(status, type, read.body), goesOn, rest: read.rest };
}

/**
 * The body by its length or its chunks, else all up to the end; null while there is more to come.
 * What has ended, or never ends, is whole as it is.
 */
function bodyOf(
  text: string,
  length: string,
  isChunked: boolean,
  isAll: boolean,
): { readonly body: string; readonly rest: string } | null {
  if (length !== "")
    return text.length >= Number(length)
      ? { body: text.slice(0, Number(length)), rest: text.slice(Number(length)) }
      : null;
  if (!isChunked) return isAll ? { body: text, rest: "" } : null;
  let body = "";
  for (let at = 0; ;) {
    const lineEnd = text.indexOf("\r\n", at);
    if (lineEnd === -1) return isAll && body !== "" ? { body, rest: "" } : null;
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (text.length < end) return isAll && body !== "" ? { body, rest: "" } : null;
    if (!(size > 0)) return { body, rest: text.slice(end) };
    body += text.slice(lineEnd + 2, end - 2);
    at = end;
  }
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: false, noDelay: true });
    socket.once("error", reject).once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}
