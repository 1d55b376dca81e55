import { mostBytes, mostLines } from "@loopwork/core/learnings";
import { expect, test } from "vitest";
import { generate } from "../src/learnings/generate.ts";
import { replay } from "../src/learnings/replay.ts";

test(
  "of a thousand candidates none is lost; what is false stays out, what is true stays in, what ended is gone",
  { timeout: 300_000 },
  () => {
    const stream = generate(1, Date.UTC(2026, 0, 1));
    expect(stream.candidates).toHaveLength(1_000);
    const { kinds, lost, largest, told } = replay(stream);
    expect(lost).toBe(0);
    expect(largest.lines).toBeLessThanOrEqual(mostLines);
    expect(largest.bytes).toBeLessThanOrEqual(mostBytes);
    const share = ({
      right,
      planted,
    }: {
      readonly right: number;
      readonly planted: number;
    }): number => right / planted;
    expect(share(kinds.false)).toBe(1);
    expect(share(kinds.true)).toBeGreaterThan(0.9);
    expect(share(kinds.severe)).toBeGreaterThan(0.9);
    expect(share(kinds.changed)).toBeGreaterThan(0.75);
    expect(share(kinds.ended)).toBeGreaterThan(0.8);
    expect(told.some((line) => line.includes("evict"))).toBe(true);
  },
);
