import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Act, actOf } from "./directives.ts";

/**
 * One request that the harness made to the model, as far as rows ask for it; `prompts` counts what
 * people said so far.
 */
export type ModelRequest = {
  readonly path: string;
  readonly prompt: string;
  readonly prompts: number;
  readonly step: number;
  readonly lastResult: string | null;
  readonly apiKey: string | null;
  readonly messages: readonly Message[];
  readonly system: unknown;
};
type Message = { readonly role: string; readonly content: unknown };

export type MessagesApi = {
  readonly url: string;
  /** Requests of the main conversation, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** Called when a request has arrived and nothing was answered yet. */
  onRequest: ((request: ModelRequest) => void) | null;
  close(): Promise<void>;
};

/**
 * A stand-in of harness A's model interface on loopback, enough for the real program to run turns
 * offline. The prompt scripts the answers (src/directives.ts). Requests without tools are the
 * program's own side calls and get a fixed word.
 */
export async function startMessagesApi(
  act: (request: ModelRequest) => Act = actOf,
): Promise<MessagesApi> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    readBody(request).then(
      (body) => answer(request, response, body),
      () => response.destroy(),
    );
  });
  const api: MessagesApi = { url: "", requests, onRequest: null, close: () => close(server) };
  const answer = (request: IncomingMessage, response: ServerResponse, body: unknown): void => {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    if (request.method !== "POST" || path !== "/v1/messages" || !isRecord(body))
      return answerSide(response, path, request.method);
    if (!Array.isArray(body["tools"]) || body["tools"].length === 0)
      return reply(response, body, { kind: "text", text: "stub side answer", afterMs: 0 });
    const heard = {
      path,
      apiKey: headerOf(request, "x-api-key"),
      system: body["system"],
      ...conversationOf(body["messages"]),
    };
    requests.push(heard);
    api.onRequest?.(heard);
    reply(response, body, act(heard));
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return Object.assign(api, {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
  });
}

/**
 * The newest words of the user, and how many tool results and refusals of a stop hook have come
 * since: the step of the turn.
 */
function conversationOf(value: unknown): {
  readonly prompt: string;
  readonly prompts: number;
  readonly step: number;
  readonly lastResult: string | null;
  readonly messages: readonly Message[];
} {
  const messages = (Array.isArray(value) ? value : []).flatMap((message: unknown): Message[] =>
    isRecord(message) && typeof message["role"] === "string"
      ? [{ role: message["role"], content: message["content"] }]
      : [],
  );
  const users = messages.filter((message) => message.role === "user");
  // Since 2.1.332 the program wraps the feedback of a hook in a reminder of its own.
  const isKept = (message: Message): boolean =>
    wordsOf(message.content).startsWith("Stop hook feedback:") ||
    (typeof message.content === "string" &&
      message.content.startsWith("<system-reminder>") &&
      message.content.includes("\nStop hook feedback:\n"));
  const isPrompt = (message: Message): boolean =>
    wordsOf(message.content) !== "" && resultsOf(message.content).length === 0 && !isKept(message);
  const promptAt = users.findLastIndex(isPrompt);
  const results = users.slice(promptAt + 1).flatMap((message) => resultsOf(message.content));
  const kept = users.slice(promptAt + 1).filter(isKept).length;
  const last = results.at(-1);
  return {
    messages,
    prompt: wordsOf(users[promptAt]?.content),
    prompts: users.filter(isPrompt).length,
    step: results.length + kept,
    lastResult: last === undefined ? null : wordsOf(last["content"]),
  };
}

/**
 * The newest words of a message, without the reminders that the program puts into it. A message
 * that failed before is sent along as an earlier block of the same message.
 */
function wordsOf(content: unknown): string {
  if (typeof content === "string") return withoutReminders(content);
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = blocks.flatMap((block) =>
    isRecord(block) && block["type"] === "text" && typeof block["text"] === "string"
      ? [withoutReminders(block["text"])]
      : [],
  );
  return texts.findLast((text) => text !== "") ?? "";
}

function withoutReminders(text: string): string {
  let rest = text;
  for (;;) {
    const start = rest.indexOf("<system-reminder>");
    const end = rest.indexOf("</system-reminder>", start);
    if (start < 0 || end < 0) return rest.trim();
    rest = rest.slice(0, start) + rest.slice(end + "</system-reminder>".length);
  }
}

function resultsOf(content: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(content)
    ? content.filter(isRecord).filter((block) => block["type"] === "tool_result")
    : [];
}

/** Paths beside the conversation. */
function answerSide(response: ServerResponse, path: string, method: string | undefined): void {
  const body =
    path === "/v1/messages/count_tokens"
      ? { input_tokens: 10 }
      : path === "/v1/models"
        ? { data: [], has_more: false }
        : { type: "error", error: { type: "not_found_error", message: "no such path" } };
  response.writeHead("error" in body && method !== "HEAD" ? 404 : 200, {
    "content-type": "application/json",
  });
  response.end(method === "HEAD" ? "" : JSON.stringify(body));
}

let replies = 0;

function reply(response: ServerResponse, body: Readonly<Record<string, unknown>>, act: Act): void {
  switch (act.kind) {
    case "error":
      return refuse(response, act, {});
    case "limit":
      return refuse(
        response,
        { status: 429, type: "rate_limit_error", message: "limited" },
        {
          "anthropic-ratelimit-unified-status": "rejected",
          "anthropic-ratelimit-unified-reset": String(act.resetsAt),
          "anthropic-ratelimit-unified-representative-claim": act.window,
        },
      );
    case "tool":
      return stream(response, body, {
        type: "tool_use",
        id: `toolu_stub_${++replies}`,
        name: act.tool,
        input: act.input,
      });
    case "text":
      setTimeout(() => stream(response, body, { type: "text", text: act.text }), act.afterMs);
  }
}

function refuse(
  response: ServerResponse,
  error: { readonly status: number; readonly type: string; readonly message: string },
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(error.status, {
    "content-type": "application/json",
    "x-should-retry": "false",
    ...headers,
  });
  response.end(
    JSON.stringify({ type: "error", error: { type: error.type, message: error.message } }),
  );
}

type Block =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
    };

/** One block as server-sent events, or as one object when the program does not stream. */
function stream(
  response: ServerResponse,
  body: Readonly<Record<string, unknown>>,
  block: Block,
): void {
  if (response.destroyed) return;
  const id = `msg_stub_${++replies}`;
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 5,
  };
  const stop = block.type === "tool_use" ? "tool_use" : "end_turn";
  const message = {
    id,
    type: "message",
    role: "assistant",
    model: body["model"] ?? "stub",
    stop_sequence: null,
  };
  if (body["stream"] !== true) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...message, content: [block], stop_reason: stop, usage }));
    return;
  }
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    "request-id": `req_${id}`,
  });
  const send = (type: string, data: Readonly<Record<string, unknown>>): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send("message_start", {
    message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
  });
  send("content_block_start", {
    index: 0,
    content_block: block.type === "text" ? { type: "text", text: "" } : { ...block, input: {} },
  });
  send("content_block_delta", {
    index: 0,
    delta:
      block.type === "text"
        ? { type: "text_delta", text: block.text }
        : { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
  });
  send("content_block_stop", { index: 0 });
  send("message_delta", {
    delta: { stop_reason: stop, stop_sequence: null },
    usage: { output_tokens: 5 },
  });
  send("message_stop", {});
  response.end();
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return null;
  }
}

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === "string" ? value : null;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
