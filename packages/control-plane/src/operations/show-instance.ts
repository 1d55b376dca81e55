import { type ManagedItem, managedItems, type Policy } from "@loopwork/core";
import type { RefText } from "@loopwork/core/ports";
import { z } from "zod";
import { cut, keyOf, largestPage, paging } from "../shapes/page.ts";
import { refText } from "../shapes/work-item.ts";
import { defineOperation, type Operation } from "./operation.ts";

type Instance = {
  readonly name: string;
  readonly scope: {
    readonly mode: Policy["instance"]["scope"];
    readonly workItems: readonly RefText[];
  };
  readonly managed: readonly ManagedItem[];
  readonly next: string | null;
};

const instance: z.ZodType<Instance> = z.object({
  name: z.string(),
  scope: z.object({
    mode: z.enum(["open", "addressed", "locked"]),
    workItems: z.array(refText).readonly(),
  }),
  managed: z
    .array(
      z.object({
        ref: refText,
        sources: z.array(z.enum(["declared", "session", "control"])).readonly(),
      }),
    )
    .readonly(),
  next: z.string().nullable().meta({
    description: "cursor of the managed items after these; null where these are the last",
  }),
});

/** `GET /instance`: which work items this instance handles in every scope mode, and why. */
export const showInstance: Operation = defineOperation({
  name: "show-instance",
  summary: "this instance: its name, its scope, and the work items that it manages",
  kind: "read",
  route: { method: "get", path: "/instance" },
  tool: true,
  input: z.strictObject({
    cursor: paging.cursor,
    limit: z.number().int().min(1).max(largestPage).default(largestPage),
  }),
  output: instance,
  async run({ cursor, limit }, { policy, records }) {
    const { name, scope, workItems } = policy().instance;
    const after = keyOf(cursor);
    const declared = [...workItems]
      .filter((ref) => ref > (after ?? ""))
      .toSorted()
      .slice(0, limit + 1);
    const items = [
      ...(await Promise.all(declared.map((ref) => records.items.load(ref)))),
      ...(await records.items.page({ after, limit: limit + 1, only: "managed" })),
    ];
    const managed = managedItems(items, policy()).filter(({ ref }) => ref > (after ?? ""));
    const page = cut(
      managed,
      limit,
      ({ ref }) => ref,
      (each) => each,
    );
    return {
      name,
      scope: { mode: scope, workItems: [...workItems] },
      managed: page.items,
      next: page.next,
    };
  },
});
