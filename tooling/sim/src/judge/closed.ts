import { label } from "../host/host.ts";
import type { World } from "../world/world.ts";

/** What an authorized person has closed on the host is not at work any more, in whatever order the host told of it. */
export function judgeClosed({ host, data, transcripts }: World): readonly string[] {
  return host.repository.items.flatMap((item) => {
    const last = host.repository.events.findLast((event) => event.item === item && (event.event === "closed" || event.event === "reopened"));
    if (item.open || last?.event !== "closed" || last.actor.login !== "ada") return [];
    const ref = [...data.items.keys()].find((each) => each.endsWith(`#${item.number}`));
    const status = ref === undefined ? null : data.items.get(ref)?.workItem?.control.status;
    // A closing that nobody was told of, because its webhook was lost and nobody looks for it, ends nothing; one of an item that was not armed then is not remembered.
    const told = data.deliveries.some(({ event, body }) => (event === "issues" || event === "pull_request") && shows(body, item.closedAt));
    // Whose actor nobody knew is deferred, as decided, and status says so.
    const deferred = ref !== undefined && data.items.get(ref)?.workItem?.closeDeferred === true;
    return told && !deferred && status === "started" ? [`at-work-though-closed: #${item.number}, ${transcripts.all().filter(({ lane }) => lane.endsWith(`#${item.number}`)).length} messages`] : [];
  });
}

function shows(body: Uint8Array | null, closedAt: string | null): boolean {
  const text = body === null ? "" : Buffer.from(body).toString("utf8");
  return text.includes(`"action":"closed"`) && text.includes(`"closed_at":"${closedAt ?? ""}"`) && text.includes(`"name":"${label}"`);
}
