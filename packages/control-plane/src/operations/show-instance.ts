import { type ManagedItem, managedItems, type Policy, type RefText } from "@loopwork/core";
import { z } from "zod";
import { refText } from "../shapes/work-item.ts";
import { defineOperation, type Operation } from "./operation.ts";

type Instance = {
  readonly name: string;
  readonly scope: { readonly mode: Policy["instance"]["scope"]; readonly workItems: readonly RefText[] };
  readonly managed: readonly ManagedItem[];
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
    return { name, scope: { mode: scope, workItems: [...workItems] }, managed: managedItems(await records.items.list(), policy()) };
  },
});
