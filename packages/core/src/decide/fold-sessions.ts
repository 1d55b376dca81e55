import type { ItemState, PullRequestLink, Session, SessionStatus } from "../work-item/records.ts";
import { formatRef, type Ref, type RefText } from "../work-item/ref.ts";
import type { Recorded } from "./effect.ts";

/** A new conversation takes the place of the endpoint's earlier one. */
export function openSession(
  item: ItemState,
  {
    endpoint,
    harness,
    harnessSessionId,
    workdir,
    runner,
    at,
  }: Extract<Recorded, { readonly kind: "session-opened" }>,
): ItemState {
  const text = formatRef(endpoint);
  const at0 = item.sessions.findIndex((each) => each.endpoint === text);
  const session: Session = {
    endpoint: text,
    workItem: item.workItem?.ref ?? text,
    harness,
    harnessSessionId,
    status: "active",
    runner,
    workdir,
    begun: false,
    createdAt: at,
    ...(item.sessions[at0]?.sandboxed === true ? { sandboxed: true } : {}),
  };
  return {
    ...item,
    sessions: at0 === -1 ? [...item.sessions, session] : item.sessions.with(at0, session),
  };
}

/** Changes the session of one endpoint, if there is one and it changes. */
export function updateSession(
  item: ItemState,
  endpoint: Ref,
  change: Partial<Pick<Session, "status" | "begun" | "asked" | "sandboxed">>,
): ItemState {
  const text = formatRef(endpoint);
  return mapSessions(item, (session) =>
    session.endpoint === text ? { ...session, ...change } : session,
  );
}

/** Moves sessions from one status to another: of one endpoint, or of all for null. */
export function moveSessions(
  item: ItemState,
  endpoint: RefText | null,
  from: readonly SessionStatus[],
  to: SessionStatus,
): ItemState {
  return mapSessions(item, (session) =>
    (endpoint === null || session.endpoint === endpoint) && from.includes(session.status)
      ? { ...session, status: to }
      : session,
  );
}

/** Machine-local records go with a release; a session that was registered meanwhile stays. */
export function dropEndedSessions(item: ItemState): ItemState {
  const sessions = item.sessions.filter((session) => session.status === "active");
  return sessions.length === item.sessions.length ? item : { ...item, sessions };
}

/** Records a pull request once; again, it only brings its head up to date. */
export function linkPullRequest(
  item: ItemState,
  {
    pullRequest,
    headSha,
    headBranch,
    at,
  }: Extract<Recorded, { readonly kind: "pull-request-linked" }>,
): ItemState {
  const text = formatRef(pullRequest);
  const index = item.pullRequests.findIndex((each) => each.pullRequest === text);
  const known = item.pullRequests[index];
  if (known === undefined)
    return {
      ...item,
      pullRequests: [
        ...item.pullRequests,
        { pullRequest: text, headSha, headBranch, open: true, at },
      ],
    };
  return putLink(item, index, {
    ...known,
    headSha: headSha ?? known.headSha,
    headBranch: headBranch ?? known.headBranch,
  });
}

/** Puts a link in its place, and keeps the list where it says nothing new. */
export function putLink(item: ItemState, index: number, link: PullRequestLink): ItemState {
  const known = item.pullRequests[index];
  if (
    known !== undefined &&
    known.headSha === link.headSha &&
    known.headBranch === link.headBranch &&
    known.open === link.open &&
    known.updatedAt === link.updatedAt
  )
    return item;
  return { ...item, pullRequests: item.pullRequests.with(index, link) };
}

function mapSessions(item: ItemState, change: (session: Session) => Session): ItemState {
  let changed = false;
  const sessions = item.sessions.map((session) => {
    const next = change(session);
    if (
      next.status === session.status &&
      next.begun === session.begun &&
      next.sandboxed === session.sandboxed &&
      (next.asked ?? null) === (session.asked ?? null)
    )
      return session;
    changed = true;
    return next;
  });
  return changed ? { ...item, sessions } : item;
}
