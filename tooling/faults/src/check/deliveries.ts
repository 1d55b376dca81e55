import type { Evidence, Invariant } from "./evidence.ts";

/** I1: what was answered with 2xx is in the store. */
export const stored: Invariant = ({ sent, store }) => {
  if (store === null) return ["I1: the store cannot be read"];
  const known = new Set(store.deliveries.map(({ id }) => id));
  return sent
    .filter(({ id, statuses }) => statuses.some(isTaken) && !known.has(id))
    .map(({ id }) => `I1: delivery ${id} was acknowledged and is not in the store`);
};

/** I5: nobody but the owner works on an item, and one start makes one owner. */
export const oneOwner: Invariant = ({ store }) => {
  const rows = store?.lanes ?? [];
  const owners = new Map<string, Set<string>>();
  for (const { workItem, instance } of rows)
    owners.set(workItem, (owners.get(workItem) ?? new Set()).add(instance));
  const shared = [...owners]
    .filter(([, instances]) => instances.size > 1)
    .map(([ref]) => `I5: several instances have lanes of ${ref}`);
  const claims = new Map<string, Set<string>>();
  for (const { instance, seq, verdict, workItem } of store?.decisions ?? []) {
    if (verdict === "taken" && workItem !== null)
      claims.set(`${seq}`, (claims.get(`${seq}`) ?? new Set()).add(instance));
  }
  return [
    ...shared,
    ...[...claims]
      .filter(([, instances]) => instances.size > 1)
      .map(
        ([seq, instances]) => `I5: delivery ${seq} was taken by ${[...instances].join(" and ")}`,
      ),
  ];
};

/** I6: what was refused is told once in the log and nowhere else. */
export const refusedQuietly: Invariant = ({ sent, store }) => {
  if (store === null) return [];
  const forbidden = new Set(sent.filter((each) => each.forbidden).map(({ id }) => id));
  const idOf = new Map(store.deliveries.map(({ seq, id }) => [seq, id]));
  const decided = store.decisions.map(({ instance, seq }) => ({
    instance,
    id: idOf.get(seq) ?? "",
  }));
  const lines = (id: string, instance: string): number =>
    store.events.filter(
      (event) =>
        event.delivery === id && event.instance === instance && event.kind === "delivery.decided",
    ).length;
  const told = decided
    .map(({ instance, id }) => ({ instance, id, times: lines(id, instance) }))
    .filter(({ times }) => times !== 1);
  return [
    ...told.map(
      ({ instance, id, times }) =>
        `I6: the decision of ${instance} on ${id} stands ${times} times in the event log`,
    ),
    ...store.effects
      .filter(({ delivery }) => forbidden.has(delivery))
      .map(({ delivery, kind }) => `I6: the refused delivery ${delivery} caused a ${kind}`),
    ...store.turns
      .filter(({ deliveries }) => deliveries.some((id) => forbidden.has(id)))
      .map(({ id }) => `I6: a refused delivery was put on a lane, turn ${id}`),
  ];
};

/** I7: whoever commands is authorized. */
export const onlyAuthorized: Invariant = ({ store, authorized }) => {
  const may = (login: string | null): boolean => login === null || authorized.includes(login);
  const items = (store?.items ?? [])
    .filter(({ requestedBy }) => !may(requestedBy))
    .map(({ ref, requestedBy }) => `I7: ${ref} does what ${requestedBy} asked for`);
  const decisions = (store?.decisions ?? [])
    .filter(({ verdict, actor }) => verdict === "taken" && !may(actor))
    .map(({ seq, actor }) => `I7: a command of ${actor} was taken, delivery ${seq}`);
  return [...items, ...decisions];
};

/** I11: nothing stands still without saying why. */
export const nothingStuck: Invariant = ({ store, sent }) => {
  if (store === null) return [];
  const decided = new Set(store.decisions.map(({ seq }) => seq));
  return [
    ...sent
      .filter(({ statuses }) => !statuses.some(isTaken))
      .map(({ id }) => `I11: delivery ${id} was never taken`),
    ...store.deliveries
      .filter(({ seq, ignored }) => ignored === null && !decided.has(seq))
      .map(({ id }) => `I11: delivery ${id} was never decided`),
    ...store.lanes
      .filter(({ holder }) => holder !== null)
      .map(({ endpoint, holder }) => `I11: lane ${endpoint} is still leased to ${holder}`),
    ...store.turns.flatMap((turn) =>
      stuckTurn(turn, store.lanes.find(({ endpoint }) => endpoint === turn.lane)?.hold ?? null),
    ),
    ...store.effects
      .filter(({ state }) => state === "pending")
      .map(
        ({ id, kind, note }) =>
          `I11: effect ${id}, ${kind}, still waits: ${note ?? "nobody looked at it"}`,
      ),
  ];
};

type Turn = NonNullable<Evidence["store"]>["turns"][number];

function stuckTurn({ id, state, note }: Turn, hold: string | null): readonly string[] {
  if (state === "injecting") return [`I11: turn ${id} is still under way`];
  if (state === "ready" && hold === null) return [`I11: turn ${id} waits and its lane is not held`];
  if ((state === "uncertain" || state === "failed") && (note === null || hold === null))
    return [`I11: turn ${id} is ${state} without a reason and a hold`];
  return [];
}

function isTaken(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
