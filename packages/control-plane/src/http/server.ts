import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import { createConnectionRoom, LoopError } from "@loopwork/core/ports";
import { quietJson } from "./json.ts";
import { fault, problemOf, sendProblem } from "./problem.ts";

export type ServerBounds = {
  /**
   * Longest time for the headers of a request, and for a whole one, milliseconds. Answers, streams
   * above all, may take as long as they like.
   */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often these are looked at, milliseconds. */
  readonly checkEveryMs: number;
  /** Open connections; for one more an idle one is closed, or it itself where all are busy. */
  readonly connections: number;
};

export const serverBounds: ServerBounds = {
  headersMs: 10_000,
  requestMs: 20_000,
  checkEveryMs: 1_000,
  connections: 512,
};

/**
 * A server for the control plane, not listening yet, that no slow client wears out; what is no HTTP
 * gets a problem as well.
 */
export function createControlPlaneServer(
  listener: RequestListener,
  bounds: ServerBounds = serverBounds,
): Server {
  const room = createConnectionRoom(bounds.connections);
  const named: RequestListener = (request, response) => {
    room.asked(request.socket, response);
    response.once("close", () => room.answered(request.socket, response));
    if (isNamed(request)) return listener(request, response);
    sendProblem(response, problemOf(refusalOf(undefined)) ?? fault, { connection: "close" });
  };
  const server = createServer(
    {
      headersTimeout: bounds.headersMs,
      requestTimeout: bounds.requestMs,
      connectionsCheckingInterval: bounds.checkEveryMs,
      requireHostHeader: false,
    },
    named,
  );
  server.on("connection", (socket) => {
    room.opened(socket);
    socket.once("close", () => room.closed(socket));
  });
  server.on("clientError", refuse);
  server.on("checkExpectation", named); // What is expected beyond 100-continue is passed over; Node's own answer would be no problem.
  return server;
}

/** HTTP/1.1 asks for a Host. Node's own refusal is switched off, as it is no problem either. */
function isNamed({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host !== undefined || httpVersion !== "1.1";
}

function refuse(error: Error & { readonly code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const problem = problemOf(refusalOf(error.code)) ?? fault;
  const body = quietJson(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ""}`,
    "content-type: application/problem+json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}

function refusalOf(code: string | undefined): LoopError {
  if (code === "HPE_HEADER_OVERFLOW")
    return new LoopError(
      "LOOP_E_HEADERS_TOO_LARGE",
      "The headers are too large",
      "Send at most 16 KiB of headers",
    );
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new LoopError(
      "LOOP_E_BODY_LATE",
      "The request took too long to arrive",
      "Send it without pauses",
    );
  return new LoopError(
    "LOOP_E_HTTP",
    "Malformed HTTP request",
    "Check content length, header names and line ends",
  );
}
