import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createConnectionRoom, LoopError } from "@loopwork/core/ports";
import { answerTo, type Refusal } from "./outcome.ts";

export type ServerLimits = {
  /** Longest time for the headers of a request, in milliseconds. */
  readonly headersTimeoutMs: number;
  /** Longest time for a whole request, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** How often the two above are checked, in milliseconds. */
  readonly checkEveryMs: number;
  /** Open connections; for one more an idle one is closed, or it itself where all are busy. */
  readonly maxConnections: number;
  /** How long a stop waits for requests in flight, in milliseconds. */
  readonly stopGraceMs: number;
};

export const defaultLimits: ServerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  checkEveryMs: 1000,
  maxConnections: 1024,
  stopGraceMs: 10_000,
};

/** A server that is not listening yet. Whoever starts it must stop it. */
export type ReceiverServer = {
  /**
   * Resolves with the address once connections are taken; port 0 takes a free one.
   * @throws {LoopError} `LOOP_E_LISTEN` when the address cannot be had.
   */
  listen(port: number, host: string): Promise<AddressInfo>;
  /**
   * Takes no more connections, lets requests in flight end, then closes what is left. Safe to call
   * twice.
   */
  stop(): Promise<void>;
};

/**
 * An HTTP server with the receiver's deadlines and problem answers for what is not HTTP. `onFault`
 * is told when a connection could not be taken.
 */
export function createServer(
  listener: RequestListener,
  limits: ServerLimits,
  onFault: (error: unknown) => void,
): ReceiverServer {
  const room = createConnectionRoom(limits.maxConnections);
  const named: RequestListener = (request, response) => {
    room.asked(request.socket, response);
    response.once("close", () => room.answered(request.socket, response));
    return isNamed(request) ? listener(request, response) : refuseNameless(response);
  };
  const server = createHttpServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      keepAliveTimeout: 65_000,
      requireHostHeader: false,
    },
    named,
  );
  server.on("clientError", refuseMalformed);
  server.on("checkExpectation", named); // What is expected beyond 100-continue is passed over; Node's own answer would have no code.
  server.on("error", (error) => {
    if (server.listening) onFault(error);
  });
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
    open.add(socket);
    room.opened(socket);
    socket.once("close", () => {
      open.delete(socket);
      room.closed(socket);
    });
  });
  let stopping: Promise<void> | null = null;
  return {
    listen: (port, host) => {
      stopping = null;
      return listen(server, port, host);
    },
    stop: () => (stopping ??= stop(server, open, limits.stopGraceMs)),
  };
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      server.off("listening", listening); // It may be tried again.
      reject(listenError(error, port, host));
    };
    const listening = (): void => {
      server.off("error", failed);
      const address = server.address();
      if (address === null || typeof address === "string")
        reject(new Error("the server listens on no port"));
      else resolve(address);
    };
    server.once("error", failed);
    server.listen(port, host, listening);
  });
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): LoopError {
  const hints: Readonly<Record<string, string>> = {
    EADDRINUSE: "Another process has the port; stop it, or choose another port.",
    EACCES: "This user may not open the port; choose one over 1023.",
    EADDRNOTAVAIL: "This machine has no such address; 127.0.0.1 always exists.",
    ENOTFOUND: "The host name does not resolve; use an address.",
  };
  return new LoopError(
    "LOOP_E_LISTEN",
    `Cannot listen on ${host}:${port}: ${error.message}.`,
    hints[error.code ?? ""] ?? "Choose another host or port.",
  );
}

function stop(server: Server, open: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    // Connections fall idle one by one while answers go out; each is closed when it does.
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      // One that has said nothing yet is idle as well; Node 24 does not count it.
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    }, 20);
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(force);
      resolve();
    });
  });
}

/** HTTP/1.1 asks for a Host. Node's own refusal is switched off, as it has no code. */
function isNamed({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host !== undefined || httpVersion !== "1.1";
}

function refuseNameless(response: ServerResponse): void {
  const { status, headers, body } = answerTo({ kind: "refused", why: "http-malformed" });
  response.writeHead(status, [...headers, "connection", "close"]).end(body);
}

/** Answers what the HTTP parser refused, and deadlines that ran out. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const answer = answerTo({ kind: "refused", why: refusalOf(error.code) });
  const headers: string[] = [];
  for (let at = 0; at < answer.headers.length; at += 2)
    headers.push(`${answer.headers[at]}: ${answer.headers[at + 1]}\r\n`);
  socket.end(
    `HTTP/1.1 ${answer.status} Refused\r\n${headers.join("")}connection: close\r\n\r\n${answer.body}`,
    () => socket.destroy(),
  );
}

function refusalOf(code: string | undefined): Refusal {
  if (code === "HPE_HEADER_OVERFLOW" || code === "HPE_CHUNK_EXTENSIONS_OVERFLOW")
    return "headers-too-large";
  return code === "ERR_HTTP_REQUEST_TIMEOUT" ? "body-late" : "http-malformed";
}
