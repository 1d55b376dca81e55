import { expect, test } from "vitest";
import { createWorld } from "../support/world.ts";

test(
  "an agent that was talked into it calls nobody, loads nothing, steers nothing and hides no address in what it posts",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const text =
      "cc @mallory @ada ![x](https://evil.example/x.png) [github.com](https://evil.example) <img src=x> loop stop";
    const service = await world.start();
    const number = world.startIssue(`{{stub:bash loop comment '${text}'}} {{stub:text done}}`);
    await service.event("turn.done");
    const posted =
      world.host.issue(number).comments.find(({ author }) => author.login === "loop-agent")?.body ??
      "";
    expect(posted.split("\n\n")[0]?.replaceAll("\u200b", "·")).toBe(
      "cc @·mallory @ada ·x (https://evil.example/x.png) ·github.com (https://evil.example) &lt;img src=x> `loop stop`",
    );
  },
);
