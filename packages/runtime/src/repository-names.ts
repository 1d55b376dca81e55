import type { InboundEvent, Repository } from "@loopwork/core";
import {
  type CodeHost,
  type EventLine,
  type KnownAs,
  type NamedRepository,
  recognise,
  type Ref,
  renameRefs,
  sameName,
  type Store,
} from "@loopwork/core/ports";
import { eventLine } from "./event-line.ts";
import type { RuntimeParts } from "./parts.ts";

/**
 * Repositories keep the name under which they were first seen; this knows what the host calls them
 * now.
 */
export type RepositoryNames = {
  /** For `understand`; null as long as every repository has its own name. */
  knownAs(): KnownAs | null;
  /**
   * Takes note of the names in an event. True when something is new that changes how this event is
   * to be read.
   */
  see(
    event: InboundEvent,
    parts: Pick<RuntimeParts, "clock" | "settings" | "redact">,
  ): Promise<boolean>;
  /** A ref, or repository, as the host calls it now. */
  present<T extends Named>(ref: T): T;
  /** A ref, as people write it now, under the name by which it is known here. */
  known<T extends Named>(ref: T): T;
};

type Named = { readonly host: string | null; readonly owner: string; readonly repo: string };

export async function openRepositoryNames(store: Store): Promise<RepositoryNames> {
  let names = indexOf(await store.repositories.list());
  return {
    knownAs: () => names.knownAs,
    present: (ref) => names.present(ref),
    known: (ref) => names.known(ref),
    async see(event, parts) {
      if (!names.isNew(event.repository)) return false;
      let kind = "known";
      const rows = await store.repositories.update((known) => {
        const found = recognise(event.repository, known);
        kind = found.kind;
        return { write: found.write, lines: linesOf(found.kind, event, known, parts) };
      });
      names = indexOf(rows);
      return kind !== "first-seen";
    },
  };
}

type Renaming = <T extends Named>(ref: T) => T;
type Index = {
  readonly knownAs: KnownAs | null;
  readonly present: Renaming;
  readonly known: Renaming;
  readonly isNew: (seen: Repository) => boolean;
};

function indexOf(rows: readonly NamedRepository[]): Index {
  const byId = new Map(rows.map((row) => [keyOf(row.host, row.id), row]));
  const moved = rows.some(
    ({ known, present }) => known.owner !== present.owner || known.name !== present.name,
  );
  const find = (host: string | null, id: string): NamedRepository | null =>
    byId.get(keyOf(host, id)) ?? null;
  return {
    knownAs: moved ? (host, id) => find(host, id)?.known ?? null : null,
    present: renameRefs(rows, "present"),
    known: renameRefs(rows, "known"),
    isNew: (seen) =>
      recognise(
        seen,
        seen.id === null ? [] : [find(seen.host, seen.id)].filter((row) => row !== null),
      ).kind !== "known",
  };
}

function keyOf(host: string | null, id: string): string {
  return `${host ?? ""}\n${id}`;
}

/**
 * A repository that is seen for the first time is no news; all else is told, since people look for
 * it under its other name.
 */
function linesOf(
  kind: string,
  { deliveryId, repository }: InboundEvent,
  rows: readonly NamedRepository[],
  parts: Pick<RuntimeParts, "clock" | "settings" | "redact">,
): readonly EventLine[] {
  if (kind !== "renamed" && kind !== "recreated") return [];
  const before = rows.find((row) => row.host === repository.host && row.id === repository.id);
  const now = repository.calledNow ?? repository;
  const fields = {
    id: repository.id,
    name: `${now.owner}/${now.name}`,
    ...(before === undefined
      ? {}
      : {
          before: `${before.present.owner}/${before.present.name}`,
          knownAs: `${before.known.owner}/${before.known.name}`,
        }),
  };
  return [
    eventLine(parts, kind === "renamed" ? "repository.renamed" : "repository.recreated", {
      level: "warn",
      delivery: deliveryId,
      fields,
    }),
  ];
}

/**
 * The code host, spoken to under the names that it uses now, so that a call never reaches another
 * repository of the same name.
 */
export function underPresentNames<Host extends CodeHost>(
  host: Host,
  { present }: Pick<RepositoryNames, "present">,
): Host {
  const at = (ref: Ref): Ref => present(ref);
  const renamed: CodeHost = {
    comment: (thread, text, beforeSending) => host.comment(at(thread), text, beforeSending),
    findComment: (thread, marker, isOurs) => host.findComment(at(thread), marker, isOurs),
    react: (target, reaction) => host.react({ ...target, thread: at(target.thread) }, reaction),
    relabel: (item, change) => host.relabel(at(item), change),
    closingReferences: async (pullRequest) =>
      backAs(await host.closingReferences(at(pullRequest)), pullRequest, at(pullRequest)),
    pullRequest: (pullRequest) => host.pullRequest(at(pullRequest)),
    textEdits: (item, comment) => host.textEdits(at(item), comment),
    changes: (pullRequest) => host.changes(at(pullRequest)),
    issue: (issue) => host.issue(at(issue)),
    pullRequestsOfCommit: (repository, sha) => host.pullRequestsOfCommit(present(repository), sha),
    ownAccount: () => host.ownAccount(),
    account: (login) => host.account(login),
  };
  return { ...host, ...renamed };
}

/**
 * References into the same repository get the name by which it was asked for; others are not for us
 * anyway.
 */
function backAs(refs: readonly Ref[], asked: Ref, called: Ref): readonly Ref[] {
  if (asked === called) return refs;
  return refs.map((ref) =>
    sameName(ref.owner, called.owner) && sameName(ref.repo, called.repo)
      ? { ...ref, owner: asked.owner, repo: asked.repo }
      : ref,
  );
}
