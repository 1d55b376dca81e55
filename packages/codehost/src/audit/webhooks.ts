import {
  type GapCursor,
  gapsSince,
  instantOf,
  type ListedAttempt,
  readAttempt,
} from "@loopwork/core";
import type { Client } from "../client.ts";
import { at, idAt, textAt } from "../fields.ts";

/**
 * One webhook of a repository that may lead to us, with what the host lists of its deliveries since
 * the last audit.
 */
export type HookList = {
  readonly hook: string;
  readonly since: string;
  readonly attempts: readonly ListedAttempt[];
  readonly whole: boolean;
};

/** Most pages of one hook's list in one audit: three thousand attempts. */
const mostPages = 30;
const perPage = 100;

/**
 * The webhooks that may lead to us. The service does not know its own public address, so the
 * receiver's path tells: those that end with it, `leads`, or all where none does, because a proxy
 * may map paths. Of the latter only those count of which the inbox has something.
 */
export async function readHooks(
  path: string,
  client: Client,
  base: string,
): Promise<{ readonly hooks: readonly string[]; readonly leads: boolean }> {
  const [ending, others]: [string[], string[]] = [[], []];
  for await (const page of client.pages("listing webhooks", `${base}/hooks`, {
    per_page: perPage,
  })) {
    for (const hook of page) {
      const [id, url] = [idAt(hook, "id"), textAt(hook, "config", "url")];
      if (id === null || url === null || at(hook, "active") === false) continue;
      (URL.canParse(url) && new URL(url).pathname === path ? ending : others).push(id);
    }
  }
  return ending.length > 0 ? { hooks: ending, leads: true } : { hooks: others, leads: false };
}

/** The host's list of one hook, newest first, read back to where the last audit ended. */
export async function listAttempts(
  hook: string,
  cursor: GapCursor,
  hostNow: string,
  client: Client,
  base: string,
): Promise<HookList> {
  const since = gapsSince(cursor, hook, hostNow);
  const from = instantOf(since) ?? 0;
  const attempts: ListedAttempt[] = [];
  let pages = 0;
  for await (const page of client.pages("listing deliveries", `${base}/hooks/${hook}/deliveries`, {
    per_page: perPage,
  })) {
    const listed = page.flatMap((entry) => readAttempt(entry) ?? []);
    const recent = listed.filter((attempt) => (instantOf(attempt.at) ?? 0) >= from);
    attempts.push(...recent);
    if (recent.length < listed.length) return { hook, since, attempts, whole: true };
    if (++pages >= mostPages) return { hook, since, attempts, whole: false };
  }
  return { hook, since, attempts, whole: true };
}
