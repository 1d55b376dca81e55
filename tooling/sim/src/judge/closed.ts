import { label } from "../host/host.ts";
import type { World } from "../world/world.ts";

/**
 * What an authorized person has closed on the host is not at work any more, in whatever order the
 * host told of it.
 */
export function judgeClosed({ host, data, transcripts }: World): readonly string[] {
  return host.repository.items.flatMap((item) => {
    const last = host.repository.events.findLast(
      (event) => event.item === item && (event.event === "closed" || event.event === "reopened"),
    );
    if (item.open || last?.event !== "closed" || last.actor.login !== "ada") return [];
    const ref = [...data.items.keys()].find((each) => each.endsWith(`#${item.number}`));
    const status = ref === undefined ? null : data.items.get(ref)?.workItem?.control.status;
    // A closing that nobody was told of, because its webhook was lost and nobody looks for it, ends
    // nothing; one of an item that was not armed then is not remembered.
    const told = data.deliveries.some(
      ({ event, body }) => (event === "issues" || event === "pull_request") && shows(body, item),
    );
    // Whose actor nobody knew is deferred, as decided, and status says so.
    const deferred = ref !== undefined && data.items.get(ref)?.workItem?.closeDeferred === true;
    return told && !deferred && status === "started"
      ? [
          `at-work-though-closed: #${item.number}, ${transcripts.all().filter(({ lane }) => lane.endsWith(`#${item.number}`)).length} messages`,
        ]
      : [];
  });
}

/** Whether a payload tells of just this closing: others may have closed within the same second. */
function shows(
  body: Uint8Array | null,
  { number, closedAt }: { readonly number: number; readonly closedAt: string | null },
): boolean {
  if (body === null) return false;
  const {
    action,
    issue,
    pull_request: pull,
  }: Closing = JSON.parse(Buffer.from(body).toString("utf8"));
  const shown = issue ?? pull;
  return (
    action === "closed" &&
    shown?.number === number &&
    shown.closed_at === closedAt &&
    shown.labels?.some(({ name }) => name === label) === true
  );
}

type Shown = {
  readonly number?: number;
  readonly closed_at?: string | null;
  readonly labels?: readonly { readonly name?: string }[];
};
type Closing = { readonly action?: string; readonly issue?: Shown; readonly pull_request?: Shown };
