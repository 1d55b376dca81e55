import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Json } from "../wire/json.ts";

/** What a route answers; `null` as body means none. */
export type Answer = {
  readonly status: number;
  readonly body: Json | null;
  readonly headers?: Readonly<Record<string, string>>;
};

export const ok = (body: Json): Answer => ({ status: 200, body });
export const created = (body: Json): Answer => ({ status: 201, body });
export const none: Answer = { status: 204, body: null };
export const notFound: Answer = { status: 404, body: { message: "Not Found" } };
export const invalid = (message: string): Answer => ({
  status: 422,
  body: { message, errors: [] },
});

export function sendAnswer(response: ServerResponse, answer: Answer): void {
  const headers = { "content-type": "application/json; charset=utf-8", ...answer.headers };
  const isText =
    typeof answer.body === "string" && !headers["content-type"].startsWith("application/json");
  response
    .writeHead(answer.status, headers)
    .end(answer.body === null ? undefined : isText ? answer.body : JSON.stringify(answer.body));
}

/** The answer with its tag; without its content where the caller has that tag already. */
export function tagged(answer: Answer, known: string | undefined): Answer {
  if (answer.status !== 200 || answer.body === null) return answer;
  const etag = `W/"${createHash("sha256")
    .update(JSON.stringify(answer.body))
    .update(answer.headers?.["link"] ?? "")
    .digest("hex")}"`;
  return known === etag
    ? { status: 304, body: null, headers: { etag } }
    : { ...answer, headers: { ...answer.headers, etag } };
}

export function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(text);
}

const maxBytes = 1024 * 1024;

/** The body as an object; null when it is none, or larger than 1 MiB. */
export async function readObject(
  request: IncomingMessage,
): Promise<Readonly<Record<string, unknown>> | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) continue;
    size += part.length;
    if (size > maxBytes) return null;
    parts.push(part);
  }
  if (size === 0) return {};
  try {
    const parsed: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? Object.fromEntries(Object.entries(parsed))
      : null;
  } catch {
    return null;
  }
}

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** As `sort` and `direction` ask; the newest created first without them. */
export function inListOrder<
  T extends { readonly createdAt: string; readonly updatedAt: string; readonly id: number },
>(found: readonly T[], url: URL): readonly T[] {
  const by = url.searchParams.get("sort") === "updated" ? "updatedAt" : "createdAt";
  const sign = url.searchParams.get("direction") === "asc" ? 1 : -1;
  return found.toSorted((a, b) => sign * (compareText(a[by], b[by]) || a.id - b.id));
}

/** One page of a list, with the `link` header that leads to the others. */
export function paged(all: readonly Json[], url: URL): Answer {
  const size = bounded(url.searchParams.get("per_page"), 30, 100);
  const page = bounded(url.searchParams.get("page"), 1, 1_000_000);
  const last = Math.max(1, Math.ceil(all.length / size));
  const link = (to: number, rel: string): string => {
    const target = new URL(url);
    target.searchParams.set("page", String(to));
    return `<${target.href}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, "prev"), link(1, "first")] : []),
    ...(page < last ? [link(page + 1, "next"), link(last, "last")] : []),
  ];
  return {
    status: 200,
    body: all.slice((page - 1) * size, page * size),
    ...(links.length === 0 ? {} : { headers: { link: links.join(", ") } }),
  };
}

const bounded = (text: string | null, fallback: number, most: number): number => {
  const value = Number(text ?? fallback);
  return Number.isInteger(value) && value >= 1 ? Math.min(value, most) : fallback;
};
