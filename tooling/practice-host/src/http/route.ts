import type { Announce } from "../announce.ts";
import type { HostState, Repository, User } from "../state.ts";
import type { WebhookTarget } from "../webhooks/delivery.ts";
import type { Sender } from "../webhooks/sender.ts";
import type { Origin } from "../wire/origin.ts";
import type { Answer } from "./answer.ts";

/** One address of the interface. `:name` in the path takes one segment. */
export type Route = {
  readonly method: string;
  readonly path: string;
  readonly answer: (call: Call) => Answer | Promise<Answer>;
};

/** A call as a route sees it. `user` is null when it carried no token. */
export type Call = {
  readonly state: HostState;
  readonly origin: Origin;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly user: User | null;
  /** What the caller wants to read; absent for the ordinary form. */
  readonly accept?: string;
  readonly announceOf: (repository: Repository) => Announce;
  readonly aim: (target: WebhookTarget) => void;
  /** What was sent, and sending it again; absent where nothing is sent. */
  readonly sent?: Pick<Sender, "deliveries" | "redeliver">;
};

/** The route for a call and what its path segments say. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { readonly route: Route; readonly params: Readonly<Record<string, string>> } | null {
  const segments = path.split("/");
  for (const route of routes) {
    if (route.method !== method) continue;
    const params = match(route.path.split("/"), segments);
    if (params !== null) return { route, params };
  }
  return null;
}

function match(
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? "";
    if (part.startsWith(":")) params[part.slice(1)] = segment;
    else if (part !== segment) return null;
  }
  return params;
}

/** A field of the body when it is text. */
export const textIn = (body: Call["body"], name: string): string | null => {
  const value = body[name];
  return typeof value === "string" ? value : null;
};

export const textsIn = (body: Call["body"], name: string): readonly string[] => {
  const value = body[name];
  return Array.isArray(value)
    ? value.filter((entry): entry is string => typeof entry === "string")
    : [];
};
