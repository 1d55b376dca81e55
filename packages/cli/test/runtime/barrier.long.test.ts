import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

test.each([
  ["pause and resume", ["loop pause", "loop resume"]],
  ["a grant of somebody else than the operator", ["loop add-collaborator @grace"]],
])(
  "what was said before and after %s is told in two turns, in order",
  { timeout: 60_000 },
  async (_verb, keywords) => {
    const world = await createWorld();
    // The token's login may steer, so ada is not the operator, and no tool of an agent has her
    // login.
    world.scene.configure(
      world.scene.text().replace("authorizedUsers: [ada]", "authorizedUsers: [ada, loop-agent]"),
    );
    const service = await world.start();
    const number = world.startIssue("{{stub:hang 1500}}");
    await until(() => world.prompts().length === 1, "the first prompt");
    for (const words of ["word one", "word two", ...keywords, "word three", "word four"])
      world.host.comment(number, words, "ada");
    await until(
      () => world.prompts().some(({ text }) => text.includes("word four")),
      "the last word",
    );
    expect(
      world
        .prompts()
        .slice(1)
        .map(({ text }) =>
          ["one", "two", "three", "four"].filter((word) => text.includes(`word ${word}`)),
        ),
    ).toEqual([
      ["one", "two"],
      ["three", "four"],
    ]);
    await until(
      async () => (await service.turns()).every(({ state }) => state === "done"),
      "the end",
    );
  },
);
