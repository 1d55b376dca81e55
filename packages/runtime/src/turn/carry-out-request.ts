import { evolve, formatAgentPost } from "@loopwork/core";
import {
  CodeHostError,
  foldLogin,
  foldName,
  formatRef,
  parseRef,
  parseTypedRef,
  type PostText,
  type Ref,
  sameName,
  sameRef,
  type Turn,
} from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import { foreignPull, isForeignPull } from "../foreign-pull-request.ts";
import { notOnHost } from "../not-on-host.ts";
import { learnOwnLogin } from "../known-login.ts";
import type { RuntimeParts } from "../parts.ts";
import { NoLongerOurs, stillOurs } from "../still-ours.ts";
import { learn } from "./note-candidate.ts";
import { noteKept } from "./note-kept.ts";
import { notePosts } from "./note-posts.ts";
import { refOf } from "./session.ts";
import { withSandboxNote } from "./sandbox.ts";
import type { Checked, TurnAnswer, TurnRequestBody } from "./requests.ts";
import { isConversationUntouched } from "./heard-only-authorized.ts";

/**
 * Does for an agent what only the dispatcher may: posts in the service's marked voice, and records
 * pull requests. `purpose` makes a repeated request harmless.
 */
export async function carryOutRequest(
  request: TurnRequestBody,
  purpose: string,
  turn: Turn,
  parts: RuntimeParts,
): Promise<TurnAnswer> {
  const { defaultHost } = parts.settings().policy;
  switch (request.kind) {
    case "comment":
      return post(
        request.on === null ? refOf(turn.lane) : knownRef(parseRef(request.on, defaultHost), parts),
        request.text,
        purpose,
        turn,
        parts,
      );
    case "ask":
      return ask(parts.redact(request.text), purpose, turn, parts);
    case "learn":
      return learn(
        request.said,
        purpose,
        turn,
        await isConversationUntouched(turn, await parts.store.items.load(turn.workItem), parts),
        parts,
      );
    case "check":
      return check(turn, parts);
    case "kept":
      return noteKept(turn, parts);
    case "posted":
      return notePosts(request.posts, purpose, turn, parts);
    case "link-pr":
      return link(
        knownRef(parsePullRequest(request.pullRequest, turn, defaultHost), parts),
        turn,
        parts,
      );
  }
}

/**
 * That an answer is awaited is on record before anybody can give it. Where people answer on the
 * thread the question is posted there, in mode `cli` the operator finds it in `loop status`.
 */
async function ask(
  text: string,
  purpose: string,
  turn: Turn,
  parts: RuntimeParts,
): Promise<TurnAnswer> {
  if (text.trim() === "")
    return refuse(
      "LOOP_E_EMPTY_COMMENT",
      "the question is empty",
      "give its text as the argument or by standard input",
    );
  if (!(await recordAsked(text, turn, parts))) return elsewhere(turn);
  if (parts.settings().config.routing.interaction.mode === "cli")
    return {
      ok: true,
      message:
        "the operator will see the question; end your turn now, the answer comes as the next message",
      data: { asked: true },
    };
  const posted = await post(refOf(turn.workItem), text, purpose, turn, parts);
  if (!posted.ok) await recordAsked(null, turn, parts);
  return posted;
}

/** False when the work item is another instance's by now. */
async function recordAsked(text: string | null, turn: Turn, parts: RuntimeParts): Promise<boolean> {
  const lines =
    text === null
      ? []
      : [
          eventLine(parts, "session.asked", {
            workItem: turn.workItem,
            fields: { turn: turn.id, endpoint: turn.lane },
          }),
        ];
  const recorded = {
    kind: "asked",
    endpoint: refOf(turn.lane),
    text: text?.slice(0, longestQuestion) ?? null,
    at: parts.clock.now(),
  } as const;
  return (
    (await parts.store.items.updateOwn(turn.workItem, (item) => ({
      after: evolve(item, recorded),
      lines,
    }))) !== null
  );
}

/** The agent of an owner that was stopped for a while speaks no more where another one does. */
function elsewhere(turn: Turn): TurnAnswer {
  return refuse(
    "LOOP_E_ITEM_ELSEWHERE",
    `another instance goes on with ${turn.workItem} by now`,
    "end your turn: what you still do here reaches nobody",
  );
}

/** As much of a question as is kept to be shown, in UTF-16 units. */
const longestQuestion = 2_000;

async function post(
  thread: Ref | null,
  text: string,
  purpose: string,
  turn: Turn,
  parts: RuntimeParts,
): Promise<TurnAnswer> {
  if (thread === null)
    return refuse(
      "LOOP_E_REF",
      "that is no reference to an issue or pull request",
      "write it as host:<owner>/<repo>#<number>",
    );
  if (!(await isOwnThread(thread, turn, parts)))
    return refuse(
      "LOOP_E_INSIDE_TURN",
      `a turn of ${turn.workItem} may not speak on ${formatRef(thread)}`,
      "comment in the work item's own repository, or record the pull request with `loop sessions link-pr` first",
    );
  if (text.trim() === "")
    return refuse(
      "LOOP_E_EMPTY_COMMENT",
      "the comment is empty",
      "give its text as the argument or by standard input",
    );
  const isOurs = async (): Promise<boolean> =>
    (await parts.store.items.updateOwn(turn.workItem, (item) => ({ after: item, lines: [] }))) !==
    null;
  if (!(await isOurs())) return elsewhere(turn);
  try {
    await learnOwnLogin(parts);
    const before = await parts.host.findComment(
      thread,
      parts.marks.marker(purpose),
      parts.marks.isOurs,
    );
    const id =
      before ??
      (
        await parts.host.comment(
          thread,
          parts.marks.sign(
            await withSandboxNote(await quietly(text, turn, parts), turn.workItem, parts),
            purpose,
          ),
          stillOurs(isOurs),
        )
      ).id;
    await parts.store.events.append([
      eventLine(parts, "host.posted", {
        workItem: turn.workItem,
        fields: { comment: id, purpose },
      }),
    ]);
    return { ok: true, message: `posted as comment ${id}`, data: { comment: id } };
  } catch (error) {
    if (error instanceof NoLongerOurs) return elsewhere(turn);
    if (!(error instanceof CodeHostError)) throw error;
    await parts.store.events.append([
      eventLine(parts, "host.failed", {
        level: "warn",
        workItem: turn.workItem,
        reason: error.code,
        fields: { purpose, detail: error.message },
      }),
    ]);
    return refuse(
      error.code,
      error.message,
      "say it in your final answer instead; the operator sees this failure in `loop events`",
    );
  }
}

/**
 * An agent's words, in which nothing calls, loads or steers that the people of its item did not
 * allow. Secrets go first: what is put between their characters would hide them.
 */
async function quietly(text: string, { workItem }: Turn, parts: RuntimeParts): Promise<PostText> {
  const { policy } = parts.settings();
  const { collaborators } = await parts.store.items.load(workItem);
  const heard = new Set([
    ...policy.authorizedUsers,
    ...collaborators.flatMap(({ login, calledNow = login }) => [
      foldLogin(login),
      foldLogin(calledNow),
    ]),
  ]);
  return formatAgentPost(parts.redact(text), { heard, keywords: policy.keywords });
}

/**
 * Our token reaches further than the work item: what an agent was talked into must not be said
 * everywhere in our name.
 */
async function isOwnThread(thread: Ref, turn: Turn, parts: RuntimeParts): Promise<boolean> {
  if (isInOwnRepository(thread, turn)) return true;
  const recorded = (await parts.store.items.load(turn.workItem)).pullRequests;
  return recorded.some(({ pullRequest }) => sameName(pullRequest, formatRef(thread)));
}

/**
 * A recorded pull request is a thread that our token speaks on and that wakes this session, so an
 * agent names only what the operator opened.
 */
function mayLink(pullRequest: Ref, turn: Turn, parts: RuntimeParts): boolean {
  const listed = parts
    .settings()
    .policy.repositories.has(foldName(`${pullRequest.owner}/${pullRequest.repo}`));
  return (
    isInOwnRepository(pullRequest, turn) ||
    (listed && pullRequest.host === refOf(turn.workItem).host)
  );
}

function isInOwnRepository(ref: Ref, turn: Turn): boolean {
  const own = refOf(turn.workItem);
  return sameRef({ ...ref, number: own.number }, own);
}

async function link(pullRequest: Ref | null, turn: Turn, parts: RuntimeParts): Promise<TurnAnswer> {
  if (pullRequest === null)
    return refuse(
      "LOOP_E_REF",
      "that is no number and no reference of a pull request",
      "give its number, or host:<owner>/<repo>#<number>",
    );
  if (!mayLink(pullRequest, turn, parts))
    return refuse(
      "LOOP_E_INSIDE_TURN",
      `a turn of ${turn.workItem} may not record a pull request of ${pullRequest.owner}/${pullRequest.repo}`,
      "a person can: with `loop sessions link-pr`, or by listing the repository in `routing.repositories`",
    );
  const { host, store } = parts;
  const ours = await store.items.updateOwn(turn.workItem, (item) => ({ after: item, lines: [] }));
  if (ours === null) return elsewhere(turn);
  const item = await store.items.load(turn.workItem);
  const named = formatRef(pullRequest);
  const known = item.pullRequests.some((link) => sameName(link.pullRequest, named));
  const head = await host.pullRequest(pullRequest).catch(failureOf);
  if (head instanceof CodeHostError) return refuse(head.code, head.message, "run it again later");
  if (head === null && !known) {
    const { code, message, hint } = notOnHost(`pull request ${formatRef(pullRequest)}`);
    return refuse(code, message, hint);
  }
  const questions = { ownAccount: () => host.ownAccount(), items: store.items };
  const { policy } = parts.settings();
  if (head !== null && !known && (await isForeignPull(head, item, policy, questions))) {
    const { code, message, hint } = foreignPull(formatRef(pullRequest), turn.workItem);
    return refuse(code, message, hint);
  }
  const recorded = {
    kind: "pull-request-linked",
    workItem: refOf(turn.workItem),
    pullRequest,
    headSha: head?.headSha ?? null,
    headBranch: head?.sameRepository ? head.headBranch : null,
    at: parts.clock.now(),
  } as const;
  const linked = await parts.store.items.updateOwn(turn.workItem, (item) => ({
    after: evolve(item, recorded),
    lines: [
      eventLine(parts, "pull-request.linked", {
        workItem: turn.workItem,
        fields: {
          pullRequest: pullRequest.number,
          repository: `${pullRequest.owner}/${pullRequest.repo}`,
        },
      }),
    ],
  }));
  if (linked === null) return elsewhere(turn);
  return {
    ok: true,
    message: `recorded pull request #${pullRequest.number} against ${turn.workItem}`,
    data: { pullRequest: pullRequest.number },
  };
}

/** What the host refuses is told to the agent; anything else is a fault of ours. */
function failureOf(error: unknown): CodeHostError {
  if (error instanceof CodeHostError) return error;
  throw error;
}

/** A bare number means the work item's own repository. */
function parsePullRequest(text: string, turn: Turn, defaultHost: string): Ref | null {
  const number = text.startsWith("#") ? text.slice(1) : text;
  const own = refOf(turn.workItem);
  return parseTypedRef(
    /^\d{1,10}$/.test(number)
      ? `host:${own.host === null ? "" : `${own.host}/`}${own.owner}/${own.repo}#${number}`
      : text,
    defaultHost,
  );
}

/** Agents may write the name that the repository has now. */
function knownRef(ref: Ref | null, { names }: RuntimeParts): Ref | null {
  return ref === null ? null : names.known(ref);
}

/** What `loop check` says outside of the sandbox, asked of the gate in the turn's own checkout. */
async function check(turn: Turn, parts: RuntimeParts): Promise<TurnAnswer> {
  const { sessions } = await parts.store.items.load(turn.workItem);
  const workdir =
    sessions.find((each) => each.endpoint === turn.lane && each.status === "active")?.workdir ??
    null;
  const found =
    workdir === null
      ? ({ kind: "unknown", why: "the session has no checkout" } as const)
      : ((await parts.gate?.check({ workItem: turn.workItem, workdir })) ??
        ({ kind: "complete" } as const));
  const missing =
    found.kind === "complete" ? [] : found.kind === "incomplete" ? found.missing : [found.why];
  const data: Checked = { answer: found.kind, missing };
  return { ok: true, message: `checked ${turn.workItem}`, data };
}

function refuse(code: `LOOP_E_${string}`, message: string, hint: string): TurnAnswer {
  return { ok: false, code, message, hint };
}
