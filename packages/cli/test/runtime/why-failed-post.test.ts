import { CodeHostError } from "@loopwork/core/ports";
import { expect, test } from "vitest";
import { createWorld } from "../support/world.ts";

test(
  "loop why says which post of a decision the code host did not take, and what to do",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const refuses = (): Promise<never> =>
      Promise.reject(
        new CodeHostError("LOOP_E_HOST_NO_TOKEN", "there is no token in LOOP_HOST_TOKEN"),
      );
    const service = await world.start((parts) => ({
      ...parts,
      host: { ...parts.host, comment: refuses },
    }));
    const { number } = world.host.openIssue({ title: "No label", by: "ada" });
    world.host.comment(number, "loop start", "ada");
    const failed = await service.event("host.failed");
    const why = (await world.scene.loop("why", failed.delivery ?? "")).out.replaceAll(/\s+/g, " ");
    expect(why).toContain("Comments on");
    expect(why).toContain(
      "The line on the thread did not get there: there is no token in LOOP_HOST_TOKEN (LOOP_E_HOST_NO_TOKEN). Next: `loop doctor`",
    );
    expect(why).not.toContain("A reaction did not get there");
  },
);
