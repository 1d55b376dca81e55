import { describe, expect, test } from "vitest";
import { intakes, listen } from "../support/intake.ts";
import { createWorld } from "../support/world.ts";

const label = "loop: auto-execute";

describe.each(intakes)("what stands beside a keyword, by %s", (intake) => {
  test(
    "reaches the session without the keyword and the address; a stop's does not",
    { timeout: 120_000 },
    async () => {
      const world = await createWorld();
      const { host } = world;
      const { told } = await listen(world, intake);
      const { number } = host.openIssue({
        title: "Garden",
        body: "Water it.",
        labels: [label],
        by: "ada",
      });
      host.comment(number, "loop start instance:default please mind the tests", "ada");
      await told();
      host.comment(number, "loop pause and leave the hose", "ada");
      await told();
      host.comment(number, "Loop  Resume\n\nThe hose is back.", "ada");
      await told();
      host.comment(number, "loop stop, that will do", "ada");
      await told();
      const text = world
        .prompts()
        .map((prompt) => prompt.text)
        .join("\n");
      for (const words of ["please mind the tests", "leave the hose", "The hose is back."])
        expect(text).toContain(words);
      for (const words of ["instance:default", "that will do"]) expect(text).not.toContain(words);
      expect(text).not.toMatch(/loop\s+(?:start|pause|resume|stop)/i);
    },
  );

  test("is nothing where a start says nothing else", { timeout: 120_000 }, async () => {
    const world = await createWorld();
    const { told } = await listen(world, intake);
    world.startIssue("Water it.");
    await told();
    const [prompt] = world.prompts();
    expect(prompt?.text).toContain("Water it.");
    expect(prompt?.text).not.toMatch(/loop start/i);
    expect(prompt?.text).not.toContain('"field": "comment"');
  });
});
