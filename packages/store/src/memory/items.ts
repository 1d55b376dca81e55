import {
  emptyItemState,
  foldLogin,
  isEmptyItem,
  type Items,
  type ItemState,
  refPrefix,
  type RefText,
  type Session,
} from "@loopwork/core/ports";
import { appendLines, type Memory, open } from "./data.ts";
import { isPresentLife } from "./present-life.ts";

/** Work items in memory; their lanes stand in the lane table, where leases live. */
export function createMemoryItems(memory: Memory): Items {
  const all = (): readonly ItemState[] =>
    [...knownRefs(memory)].toSorted().map((ref) => loadItem(memory, ref));
  const sessions = (): readonly Session[] => all().flatMap((item) => item.sessions);
  return {
    load: async (ref) => loadItem(memory, ref),
    update: async (ref, step) => update(memory, ref, step),
    updateOwn: async (ref, step) => {
      if (isPresentLife(memory) && !isElsewhere(memory, ref)) return update(memory, ref, step);
      memory.lateWrites += 1;
      return null;
    },
    list: async () => all(),
    page: async ({ after, limit, status, held, only }) =>
      [...knownRefs(memory)]
        .toSorted()
        .filter((ref) => ref > (after ?? ""))
        .map((ref) => loadItem(memory, ref))
        .filter(
          (item) =>
            fits[only ?? "any"](item) &&
            (status === undefined || item.workItem?.control.status === status) &&
            (held === undefined || held === isHeld(item)),
        )
        .slice(0, limit),
    knowsRepository: async (repository) => {
      const prefix = refPrefix(repository);
      return all().some(({ workItem, sessions: own, pullRequests }) =>
        [
          workItem?.ref,
          ...own.flatMap((each) => [each.workItem, each.endpoint]),
          ...pullRequests.map((link) => link.pullRequest),
        ].some((ref) => ref?.startsWith(prefix)),
      );
    },
    linkedTo: async (pullRequest) =>
      links(memory)
        .filter(({ link }) => link.pullRequest === pullRequest)
        .toSorted((one, other) => one.link.at - other.link.at)
        .map(({ workItem }) => workItem),
    linksBySha: async (headSha) => links(memory).filter(({ link }) => link.headSha === headSha),
    ownerOfEndpoint: async (endpoint) =>
      sessions()
        .filter((session) => session.endpoint === endpoint)
        .toSorted(liveliest)[0]?.workItem ?? null,
    sessionByHarnessId: async (id) =>
      sessions()
        .filter((session) => session.harnessSessionId === id)
        .toSorted(liveliest)[0] ?? null,
    pinnedActor: async (login) => open(memory).actors.get(foldLogin(login)) ?? null,
    pinnedTo: async (id) =>
      [...open(memory).actors].flatMap(([name, pinned]) => (pinned === id ? [name] : [])),
    pinActor: async ({ login, id }) => {
      const { actors } = open(memory);
      const pinned = actors.get(foldLogin(login)) ?? id;
      actors.set(foldLogin(login), pinned);
      return pinned;
    },
    unpinActor: async (login, lines) => {
      const gone = open(memory).actors.delete(foldLogin(login));
      if (gone) appendLines(memory.data, lines);
      return gone;
    },
  };
}

function update(memory: Memory, ref: RefText, step: Parameters<Items["update"]>[1]): ItemState {
  const { after, lines } = step(loadItem(memory, ref));
  saveItem(memory, ref, after);
  appendLines(memory.data, lines);
  return loadItem(memory, ref);
}

export function loadItem(memory: Memory, ref: RefText): ItemState {
  const { items, lanes } = open(memory);
  const own = [...lanes.values()].filter((lane) => lane.workItem === ref);
  return {
    ...(items.get(ref) ?? emptyItemState),
    lanes: own.map(({ endpoint, hold }) => ({ endpoint, hold })),
  };
}

/** Saves the state whole. A lane that is no longer listed is open; its row stays, for its fence. */
export function saveItem(memory: Memory, ref: RefText, after: ItemState): void {
  const { items, lanes } = open(memory);
  if (!items.has(ref) && isEmptyItem(after)) return;
  items.set(ref, after);
  for (const lane of [...lanes.values()]) {
    if (lane.workItem === ref && !after.lanes.some((each) => each.endpoint === lane.endpoint))
      lanes.set(lane.endpoint, { ...lane, hold: null });
  }
  for (const { endpoint, hold } of after.lanes) {
    const known = lanes.get(endpoint);
    lanes.set(
      endpoint,
      known === undefined
        ? { endpoint, workItem: ref, instance: memory.instance, hold, lease: null, fence: 0 }
        : { ...known, workItem: ref, hold },
    );
  }
}

/**
 * Whether a work item is another instance's: that one was asked for it, or has its lanes where
 * nobody was asked.
 */
function isElsewhere(memory: Memory, ref: RefText): boolean {
  const asked = memory.data.items.get(ref)?.workItem?.control.instance ?? null;
  if (asked !== null) return asked !== memory.instance;
  const owners = [...memory.data.lanes.values()]
    .filter(({ workItem }) => workItem === ref)
    .map(({ instance }) => instance);
  return owners.length > 0 && !owners.includes(memory.instance);
}

type Only = "waiting" | "managed" | "any";

const isHeld = ({ lanes }: ItemState): boolean => lanes.some(({ hold }) => hold !== null);

const fits: Readonly<Record<Only, (item: ItemState) => boolean>> = {
  any: ({ workItem }) => workItem !== null,
  waiting: (item) =>
    isHeld(item) ||
    item.workItem?.closeDeferred === true ||
    item.workItem?.startHeld !== undefined ||
    item.workItem?.graph?.waits != null ||
    item.sessions.some(({ status, asked }) => status === "active" && asked != null),
  managed: ({ workItem, sessions }) =>
    sessions.length > 0 ||
    (workItem !== null &&
      (workItem.control.status !== "idle" || workItem.control.instance !== null)),
};

/** Active before closed, then the newest. */
function liveliest(one: Session, other: Session): number {
  return (
    Number(one.status === "closed") - Number(other.status === "closed") ||
    other.createdAt - one.createdAt
  );
}

function knownRefs(memory: Memory): ReadonlySet<RefText> {
  const { items, lanes } = open(memory);
  return new Set([...items.keys(), ...[...lanes.values()].map((lane) => lane.workItem)]);
}

function links(
  memory: Memory,
): { readonly workItem: RefText; readonly link: ItemState["pullRequests"][number] }[] {
  return [...open(memory).items]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([workItem, item]) => item.pullRequests.map((link) => ({ workItem, link })));
}
