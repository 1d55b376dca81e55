import { judge } from "../judge.ts";
import type { Invariant } from "./evidence.ts";

/** I2, I3: each word is said once, in order, one message at a time. */
export const saidOnce: Invariant = ({ expected, prompts }) =>
  judge(expected, prompts).violations.map((violation) => `I2, I3: ${violation}`);

/** I4: one process a session. */
export const oneProcess: Invariant = ({ livest }) =>
  [...livest]
    .filter(([, most]) => most > 1)
    .map(([session, most]) => `I4: ${most} processes worked in session ${session} at once`);

/**
 * Nothing is posted twice, and nothing that nobody asked for: each text as often as there are
 * effects with it.
 */
export const postedOnce: Invariant = ({ posts, store }) => {
  if (store === null) return [];
  const replies = store.effects.filter(({ kind, text }) => kind === "reply" && text !== null);
  const words = new Set(replies.map(({ text }) => text ?? ""));
  const shown = [...words].map((text) => ({
    text,
    times: posts.filter(({ body }) => body.includes(text)).length,
    asked: replies.filter((each) => each.text === text).length,
    done: replies.filter((each) => each.text === text && each.state === "done").length,
  }));
  return [
    ...shown
      .filter(({ times, asked }) => times > asked)
      .map(
        ({ text, times }) =>
          `posts: ${JSON.stringify(text.slice(0, 60))} stands ${times} times on the host`,
      ),
    ...shown
      .filter(({ times, done }) => times < done)
      .map(
        ({ text }) =>
          `posts: ${JSON.stringify(text.slice(0, 60))} is done and does not stand on the host`,
      ),
    ...posts
      .filter(({ body }) => ![...words].some((text) => body.includes(text)))
      .map(({ id }) => `posts: nothing asked for comment ${id}`),
  ];
};

/** I8: nothing was written outside of the state root, the checkouts and the trust keys. */
export const noStrayWrites: Invariant = ({ strayPaths }) =>
  strayPaths.map((path) => `I8: something wrote ${path}`);

/** I9: the trust file parses, and what others wrote in it is there to the byte. */
export const trustKept: Invariant = ({ trust }) =>
  trust.flatMap(({ file, text, foreign }) => [
    ...(parses(text) ? [] : [`I9: ${file} does not parse`]),
    ...(text.includes(foreign) ? [] : [`I9: what others wrote in ${file} has changed`]),
  ]);

/** I10: no secret where somebody may read it. The text itself is not repeated. */
export const noSecrets: Invariant = ({ secrets, texts }) =>
  texts
    .filter(({ text }) => secrets.some((secret) => text.includes(secret)))
    .map(({ where }) => `I10: a secret stands in ${where}`);

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
