import type { ItemState, Policy, RefText } from "@loopwork/core";
import { z } from "zod";
import { refText } from "../shapes/work-item.ts";
import { defineOperation, type Operation } from "./operation.ts";

type Source = "declared" | "session" | "control";
type Instance = {
  readonly name: string;
  readonly scope: { readonly mode: Policy["instance"]["scope"]; readonly workItems: readonly RefText[] };
  readonly managed: readonly { readonly ref: RefText; readonly sources: readonly Source[] }[];
};

const instance: z.ZodType<Instance> = z.object({
  name: z.string(),
  scope: z.object({ mode: z.enum(["open", "addressed", "locked"]), workItems: z.array(refText).readonly() }),
  managed: z.array(z.object({ ref: refText, sources: z.array(z.enum(["declared", "session", "control"])).readonly() })).readonly(),
});

/** `GET /instance` (service.md 4.2, 4.3): which work items this instance handles in every scope mode, and why. */
export const showInstance: Operation = defineOperation({
  name: "show-instance",
  summary: "this instance: its name, its scope, and the work items that it manages",
  kind: "read",
  route: { method: "get", path: "/instance" },
  tool: true,
  input: z.strictObject({}),
  output: instance,
  async run(_input, { policy, records }) {
    const { name, scope, workItems } = policy().instance;
    return { name, scope: { mode: scope, workItems: [...workItems] }, managed: managedOf(await records.items.list(), workItems) };
  },
});

/** Declared in the configuration, with a session, or with a control record (service.md 3.2). */
function managedOf(items: readonly ItemState[], declared: ReadonlySet<RefText>): Instance["managed"] {
  const sources = new Map<RefText, Source[]>([...declared].map((ref) => [ref, ["declared"]]));
  for (const { workItem, sessions } of items) {
    const ref = workItem?.ref ?? sessions[0]?.workItem;
    if (ref === undefined) continue;
    const asked = workItem !== null && (workItem.control.status !== "idle" || workItem.control.instance !== null);
    const found = [...(sources.get(ref) ?? []), ...(sessions.length > 0 ? ["session" as const] : []), ...(asked ? ["control" as const] : [])];
    if (found.length > 0) sources.set(ref, found);
  }
  return [...sources].map(([ref, each]) => ({ ref, sources: each })).toSorted((a, b) => (a.ref < b.ref ? -1 : 1));
}
