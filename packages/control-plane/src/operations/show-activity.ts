import type { ActivityStep } from "@loopwork/core/ports";
import { z } from "zod";
import { instant } from "../shapes/words.ts";
import { defineOperation, type Operation } from "./operation.ts";

export type Activity = {
  readonly stepMs: number;
  readonly until: number;
  readonly steps: readonly ActivityStep[];
};

const stepsShown = 48;
const hourMs = 3_600_000;

const count = z.number().int();
const activity: z.ZodType<Activity> = z.object({
  stepMs: count.meta({ description: "length of a step, milliseconds" }),
  until: instant,
  steps: z
    .array(
      z.object({
        at: instant.meta({ description: "when the step begins, milliseconds since 1970" }),
        accepted: count,
        decided: count,
        failed: count.meta({ description: "turns that failed, or hold their lane as failed" }),
      }),
    )
    .readonly()
    .meta({ description: "every step, oldest first; the last one is still under way" }),
});

/** What the dashboard draws; `/metrics` is for who keeps such counts for long. */
export const showActivity: Operation = defineOperation({
  name: "show-activity",
  summary: "how much was accepted, decided and failed over the last hours, step by step",
  kind: "read",
  route: { method: "get", path: "/activity" },
  tool: true,
  input: z.strictObject({ hours: z.number().int().min(1).max(168).default(24) }),
  output: activity,
  async run({ hours }, { records, clock }) {
    const stepMs = (hours * hourMs) / stepsShown;
    const now = clock.now();
    // Steps begin at round times, so that asking again moves no count from one to another.
    const since = (Math.floor(now / stepMs) - stepsShown + 1) * stepMs;
    const counted = new Map(
      (await records.activity({ since, stepMs })).map((step) => [step.at, step]),
    );
    const steps = Array.from(
      { length: stepsShown },
      (_, index) =>
        counted.get(since + index * stepMs) ?? {
          at: since + index * stepMs,
          accepted: 0,
          decided: 0,
          failed: 0,
        },
    );
    return { stepMs, until: now, steps };
  },
});
