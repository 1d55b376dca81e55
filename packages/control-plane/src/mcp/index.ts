import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from "@modelcontextprotocol/server";
import { LoopError } from "@loopwork/core/ports";
import type { Endpoint, EndpointParts } from "../create.ts";
import { readJson } from "../http/read-body.ts";
import { callTool, describeTool } from "./tools.ts";

const instructions =
  "What the loop service works on, what came in and why something happened or did not. Texts that anybody on the code host may have written are left out. Lists have a cursor: give `next` back for the page after it.";

/**
 * `/mcp` by streamable HTTP, without sessions: every request is answered by itself. Tools are the
 * operations of the table that are for agents.
 */
export function createMcpEndpoint(parts: EndpointParts): Endpoint {
  // What it reports is what a client did wrong, and that is answered; faults of ours come by
  // `onFault`.
  const handler = createMcpHandler(() => createServer(parts), {
    maxSubscriptions: 8,
    onerror: () => {},
  });
  const answer = toNodeHandler(handler);
  return {
    async route(request, response) {
      const body = request.method === "POST" ? await readJson(request) : undefined;
      if (Array.isArray(body))
        throw new LoopError(
          "LOOP_E_BATCH",
          "Batches are not supported",
          "Send one message per request",
        );
      const written = writtenBy(body, parts.operations);
      if (written !== null) await parts.mayWrite(request, written);
      const { method = "GET", url = "/", headers } = request; // With its body read, this is all of it.
      await answer(
        { method, url, headers, [Symbol.asyncIterator]: () => request[Symbol.asyncIterator]() },
        response,
        body,
      );
    },
    close: () => handler.close(),
  };
}

/** The operation that a message asks for, if it is one that writes. */
function writtenBy(body: unknown, operations: EndpointParts["operations"]): string | null {
  if (typeof body !== "object" || body === null || !("params" in body)) return null;
  const { params } = body;
  const asked =
    typeof params === "object" && params !== null && "name" in params ? params.name : null;
  return operations.find(({ name, kind }) => kind === "write" && name === asked)?.name ?? null;
}

function createServer({ operations, ports, version, onFault }: EndpointParts): Server {
  const server = new Server(
    { name: "loop", version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler("tools/list", ({ params }) => {
    if (params?.cursor !== undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "every tool is on the first page");
    return { tools: operations.flatMap((operation) => describeTool(operation) ?? []) };
  });
  server.setRequestHandler("tools/call", ({ params }) => {
    const operation = operations.find(({ name, tool }) => name === params.name && tool !== null);
    if (operation === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        "there is no tool of this name; tools/list names them",
      );
    return callTool(operation, params.arguments ?? {}, ports, onFault);
  });
  return server;
}
