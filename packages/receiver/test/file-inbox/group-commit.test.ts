import fc from "fast-check";
import { expect, test } from "vitest";
import { createGroupCommit } from "../../src/file-inbox/group-commit.ts";

test("every item is committed once, in order, one group at a time, within the bound; a failed group fails whole", async () => {
  const groups = fc.array(
    fc.record({ size: fc.integer({ min: 1, max: 100 }), late: fc.boolean() }),
    { minLength: 1, maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(
      groups,
      fc.infiniteStream(fc.constantFrom("all", "some", "fail")),
      async (items, outcomes) => {
        let running = 0;
        const committed: number[] = [];
        const broken: string[] = [];
        const group = createGroupCommit<number>(async (batch) => {
          running += 1;
          if (running > 1) broken.push("two groups at once");
          if (batch.length > 1 && batch.reduce((sum, n) => sum + (items[n]?.size ?? 0), 0) > 150)
            broken.push("a group over the bound");
          await Promise.resolve();
          running -= 1;
          const outcome = outcomes.next().value;
          if (outcome === "fail") throw new Error("disk");
          const durable = outcome === "some" ? Math.ceil(batch.length / 2) : batch.length;
          committed.push(...batch.slice(0, durable));
          return durable;
        }, 150);
        const answers: Promise<"ok" | "failed">[] = [];
        for (const [n, { size, late }] of items.entries()) {
          if (late) await Promise.resolve();
          answers.push(
            group.add(n, size).then(
              () => "ok",
              () => "failed",
            ),
          );
        }
        const settled = await Promise.all(answers);
        await group.idle();
        expect(committed).toEqual(settled.flatMap((answer, n) => (answer === "ok" ? [n] : [])));
        expect(broken).toEqual([]);
        expect(group.waiting()).toEqual({ items: 0, bytes: 0 });
      },
    ),
  );
});
