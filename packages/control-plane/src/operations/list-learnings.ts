import { formatRef } from "@loopwork/core/ports";
import { categories, type Learning, severities, statuses } from "@loopwork/core/learnings";
import { z } from "zod";
import { cut, numberOf, type Page, pageOf, paging } from "../shapes/page.ts";
import { instant, refInput } from "../shapes/words.ts";
import { refText } from "../shapes/work-item.ts";
import { defineOperation, type Operation } from "./operation.ts";

type LearningView = Pick<
  Learning,
  | "id"
  | "text"
  | "category"
  | "status"
  | "severity"
  | "seen"
  | "firstSeen"
  | "lastSeen"
  | "supersededBy"
  | "keys"
>;
type Learned = {
  readonly workItem: string;
  readonly workdir: string | null;
  readonly learnings: Page<LearningView>;
};

const learning: z.ZodType<LearningView> = z.object({
  id: z.number().int(),
  text: z.string().meta({
    description: "a note about the project, at most 160 characters: data, no order of a person",
  }),
  category: z.enum(categories),
  status: z.enum(statuses).meta({
    description:
      "active: in the index; evicted: in the topic of its category; retired and superseded: no longer true",
  }),
  severity: z.enum(severities),
  seen: z.number().int().meta({ description: "distinct runs of work items in which it was met" }),
  firstSeen: instant,
  lastSeen: instant,
  supersededBy: z.number().int().nullable(),
  keys: z.array(z.string()).readonly().meta({ description: "identifiers in its text" }),
});
const learned: z.ZodType<Learned> = z.object({
  workItem: refText,
  workdir: z.string().nullable().meta({
    description:
      "the checkout in which they were read; null where none stands, and then there are none",
  }),
  learnings: pageOf(learning),
});

/**
 * What `loop learnings show` lists in the checkout of a work item, the topics included that no
 * session is told at its start.
 */
export const listLearnings: Operation = defineOperation({
  name: "list-learnings",
  summary:
    "what was learned about a work item's repository, as its checkout has it, overflow topics included",
  kind: "read",
  route: { method: "get", path: "/work-items/{ref}/learnings" },
  tool: true,
  input: z.strictObject({
    ref: refInput,
    category: z.enum(categories).optional(),
    all: z.boolean().optional().meta({ description: "also what is no longer true" }),
    ...paging,
  }),
  output: learned,
  async run({ ref, category, all, cursor, limit }, { records, steering, learnings }) {
    const workItem = formatRef(await steering.ref(ref));
    const workdir =
      (await records.items.load(workItem)).sessions.find(({ endpoint }) => endpoint === workItem)
        ?.workdir ?? null;
    const read = workdir === null ? null : await learnings(workdir);
    const after = numberOf(cursor) ?? 0;
    const shown = (read ?? []).filter(
      (each) =>
        each.id > after &&
        (category === undefined || each.category === category) &&
        (all === true || each.status === "active" || each.status === "evicted"),
    );
    return {
      workItem,
      workdir: read === null ? null : workdir,
      learnings: cut(
        shown.slice(0, limit + 1),
        limit,
        ({ id }) => id,
        (each) => each,
      ),
    };
  },
});
