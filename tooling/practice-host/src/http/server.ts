import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Announce } from "../announce.ts";
import { findRepository, type HostState, type Repository, type User, userNamed } from "../state.ts";
import type { WebhookTarget } from "../webhooks/delivery.ts";
import type { Origin } from "../wire/origin.ts";
import type { Traffic } from "../traffic.ts";
import { readObject, sendAnswer, sendText } from "./answer.ts";
import { answerCall } from "./api.ts";
import { serveGit } from "./git-http.ts";
import { pageAt } from "./pages.ts";
import type { Call } from "./route.ts";

export type ServerParts = {
  readonly traffic: Traffic;
  readonly state: HostState;
  readonly origin: () => Origin;
  readonly announceOf: (repository: Repository) => Announce;
  /** Where webhooks go from now on. */
  readonly aim: (target: WebhookTarget) => void;
  readonly sent: NonNullable<Call["sent"]>;
  /** Called once a client has pushed and was answered. */
  readonly pushed: (repository: Repository, by: User) => Promise<void>;
};

/**
 * The interface under `/api/v3`, `/api/graphql`, git under `/<owner>/<repo>.git`, pages for people
 * everywhere else.
 */
export function createHostServer(parts: ServerParts): Server {
  return createServer((request, response) => {
    void serve(request, response, parts).catch((error: unknown) => {
      if (!response.headersSent)
        sendAnswer(response, { status: 500, body: { message: String(error) } });
    });
  });
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ServerParts,
): Promise<void> {
  const url = new URL(request.url ?? "/", parts.origin().url);
  const gitAt = url.pathname.indexOf(".git/");
  if (gitAt > 0) return serveClone(request, response, parts, url, gitAt);
  if (url.pathname.startsWith("/api/")) return serveApi(request, response, parts, url);
  const page = pageAt(parts.state, url.pathname);
  sendText(response, page === null ? 404 : 200, page ?? "there is no such page\n");
}

async function serveApi(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ServerParts,
  url: URL,
): Promise<void> {
  const path = url.pathname.startsWith("/api/v3/")
    ? url.pathname.slice("/api/v3".length)
    : url.pathname;
  const method = request.method ?? "GET";
  const token = tokenOf(request);
  const user =
    token === null ? null : (parts.state.users.find((one) => one.token === token) ?? null);
  if (token !== null && user === null)
    return sendAnswer(response, { status: 401, body: { message: "Bad credentials" } });
  const body = await readObject(request);
  if (body === null)
    return sendAnswer(response, { status: 400, body: { message: "Problems parsing JSON" } });
  const trouble = parts.traffic.troubleAt(method, `${path}${url.search}`);
  const call = {
    state: parts.state,
    origin: parts.origin(),
    url,
    body,
    user,
    accept: request.headers.accept ?? "",
    announceOf: parts.announceOf,
    aim: parts.aim,
    sent: parts.sent,
  };
  const answer =
    trouble ?? (await answerCall(method, path, call, request.headers["if-none-match"]));
  sendAnswer(response, {
    ...answer,
    headers: {
      ...answer.headers,
      ...parts.traffic.count(method, `${path}${url.search}`, answer.status),
    },
  });
}

async function serveClone(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ServerParts,
  url: URL,
  gitAt: number,
): Promise<void> {
  const [, owner, name] = url.pathname.slice(0, gitAt).split("/");
  const repository = findRepository(parts.state, owner ?? "", name ?? "");
  if (repository === null) return sendText(response, 404, "there is no such repository\n");
  const by = pusher(request, parts.state, repository);
  const below = url.pathname.slice(gitAt + ".git".length);
  await serveGit(request, response, {
    directory: repository.directory,
    below,
    query: url.search.slice(1),
    login: by.login,
  });
  if (below === "/git-receive-pack") await parts.pushed(repository, by);
}

/**
 * Who pushes: the owner of the token in the password, else the login before it, else the
 * repository's owner.
 */
function pusher(request: IncomingMessage, state: HostState, repository: Repository): User {
  const [login, password] = basicOf(request);
  const byToken = state.users.find((user) => user.token !== null && user.token === password);
  return byToken ?? (login === "" ? repository.owner : userNamed(state, login));
}

function basicOf(request: IncomingMessage): readonly [string, string] {
  const header = request.headers.authorization ?? "";
  if (!header.startsWith("Basic ")) return ["", ""];
  const text = Buffer.from(header.slice("Basic ".length), "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? [text, ""] : [text.slice(0, colon), text.slice(colon + 1)];
}

function tokenOf(request: IncomingMessage): string | null {
  const [scheme, token] = (request.headers.authorization ?? "").split(" ");
  return token !== undefined && ["token", "bearer"].includes((scheme ?? "").toLowerCase())
    ? token
    : null;
}
