import {
  type Account,
  CodeHostError,
  type PostText,
  type Ref,
  sameAccount,
} from "@loopwork/core/ports";
import { readActor } from "@loopwork/core";
import type { Client } from "./client.ts";
import { at, idAt, listAt, textAt } from "./fields.ts";
import { lastPage } from "./pages.ts";

const perPage = 100;
/**
 * How far back our own comment is looked for: it is searched right after an interrupted post, so it
 * is among the newest.
 */
const mostPages = 10;

/** Posts a comment, word for word: who signs it has taken secrets out before. */
export async function postComment(
  client: Client,
  thread: Ref,
  text: PostText,
  beforeSending?: () => Promise<void>,
): Promise<{ readonly id: string; readonly url: string | null }> {
  const names = client.namesOf(thread);
  const { data } = await client.post(
    "posting a comment",
    "/repos/{owner}/{repo}/issues/{number}/comments",
    { ...names, number: thread.number, body: text },
    { beforeSending },
  );
  const id = idAt(data, "id");
  if (id === null)
    throw new CodeHostError(
      "LOOP_E_HOST_REFUSED",
      "Posting a comment: the response has no comment",
    );
  return { id, url: textAt(data, "html_url") };
}

/**
 * Our newest comment that contains the marker. The host lists oldest first, so the last page is
 * read first.
 */
export async function findOwnComment(
  client: Client,
  thread: Ref,
  marker: string,
  own: Account | null,
  isOurs: (text: string) => boolean,
): Promise<string | null> {
  const params = { ...client.namesOf(thread), number: thread.number, per_page: perPage };
  const path = "/repos/{owner}/{repo}/issues/{number}/comments";
  const task = "looking for our comment";
  const first = await client.get(task, path, { ...params, page: 1 });
  const last = lastPage(first.link);
  for (let page = last; page >= 1 && page > last - mostPages; page--) {
    const { data } = page === 1 ? first : await client.get(task, path, { ...params, page });
    const found = listAt(data).findLast(
      (comment) =>
        hasMarker(comment, marker) &&
        (own === null ? isOurs(textAt(comment, "body") ?? "") : isBy(comment, own)),
    );
    if (found !== undefined) return idAt(found, "id");
  }
  return null;
}

const hasMarker = (comment: unknown, marker: string): boolean =>
  (textAt(comment, "body") ?? "").includes(marker);

function isBy(comment: unknown, account: Account): boolean {
  const author = readActor(at(comment, "user"));
  return author !== null && sameAccount(author, account);
}
