import { connect, type Socket } from "node:net";

/** What came back on a raw connection. */
export type RawAnswer = {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
};

/** A connection on which a test writes whatever bytes it likes. */
export type RawConnection = {
  readonly socket: Socket;
  send(bytes: string | Uint8Array): void;
  /** The next whole answer; rejects when the connection ends before there is one. */
  answer(): Promise<RawAnswer>;
  /** Resolves when the other side has closed. */
  closed: Promise<void>;
};

export function openRaw(port: number): Promise<RawConnection> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    let wake = (): void => {};
    let ended = false;
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      text += chunk;
      wake();
    });
    const closed = new Promise<void>((done) => socket.on("close", () => done()));
    socket.on("close", () => {
      ended = true;
      wake();
    });
    socket.on("error", () => {});
    socket.once("error", reject);
    socket.once("connect", () => {
      const answer = async (): Promise<RawAnswer> => {
        for (;;) {
          const parsed = takeAnswer(text);
          if (parsed !== null) {
            text = parsed.rest;
            return parsed.answer;
          }
          if (ended) throw new Error(`the connection ended after ${JSON.stringify(text)}`);
          await new Promise<void>((done) => {
            wake = done;
          });
        }
      };
      resolve({ socket, send: (bytes) => void socket.write(bytes), answer, closed });
    });
  });
}

/** Sends bytes on a connection of their own and returns the first answer. */
export async function exchange(port: number, bytes: string | Uint8Array): Promise<RawAnswer> {
  const connection = await openRaw(port);
  try {
    connection.send(bytes);
    return await connection.answer();
  } finally {
    connection.socket.destroy();
  }
}

/** A request as text: what a test does not give is left out, and nothing is added. */
export function requestText(
  line: string,
  headers: readonly (readonly [string, string])[],
  body: string = "",
): Buffer {
  return Buffer.from(
    `${line} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
    "latin1",
  );
}

function takeAnswer(text: string): { readonly answer: RawAnswer; readonly rest: string } | null {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const [line = "", ...lines] = text.slice(0, headEnd).split("\r\n");
  const headers = new Map(
    lines.map((each) => [
      each.slice(0, each.indexOf(":")).toLowerCase(),
      each.slice(each.indexOf(":") + 1).trim(),
    ]),
  );
  const length = Number(headers.get("content-length") ?? 0);
  const start = headEnd + 4;
  if (text.length < start + length) return null;
  return {
    answer: {
      status: Number(line.split(" ")[1]),
      headers,
      body: text.slice(start, start + length),
    },
    rest: text.slice(start + length),
  };
}
