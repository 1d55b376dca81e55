import { createServer, type RequestListener, type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { LoopError } from "@loopwork/core/errors";
import { quietJson } from "./json.ts";
import { fault, problemOf } from "./problem.ts";

export type ServerBounds = {
  /** Longest time for the headers of a request, and for a whole one, milliseconds. Answers, streams above all, may take as long as they like. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often these are looked at, milliseconds. */
  readonly checkEveryMs: number;
  /** Open connections; one more is closed at once. */
  readonly connections: number;
};

export const serverBounds: ServerBounds = { headersMs: 10_000, requestMs: 20_000, checkEveryMs: 1_000, connections: 512 };

/** A server for the control plane, not listening yet, that no slow client wears out; what is no HTTP gets a problem as well. */
export function createControlPlaneServer(listener: RequestListener, bounds: ServerBounds = serverBounds): Server {
  const server = createServer({ headersTimeout: bounds.headersMs, requestTimeout: bounds.requestMs, connectionsCheckingInterval: bounds.checkEveryMs }, listener);
  server.maxConnections = bounds.connections;
  server.on("clientError", refuse);
  return server;
}

function refuse(error: Error & { readonly code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const problem = problemOf(refusalOf(error.code)) ?? fault;
  const body = quietJson(problem);
  const head = [`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ""}`, "content-type: application/problem+json; charset=utf-8", `content-length: ${Buffer.byteLength(body)}`, "connection: close"];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}

function refusalOf(code: string | undefined): LoopError {
  if (code === "HPE_HEADER_OVERFLOW") return new LoopError("LOOP_E_HEADERS_TOO_LARGE", "the headers are too large", "all of them together may take 16 KiB");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new LoopError("LOOP_E_BODY_LATE", "the request took too long", "send it whole, without waiting");
  return new LoopError("LOOP_E_HTTP", "that is no valid request of HTTP", "check content length, header names and line ends");
}
