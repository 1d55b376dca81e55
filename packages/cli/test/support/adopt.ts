import { join } from "node:path";
import { adoptedBy } from "@loopwork/core";
import { openStore } from "@loopwork/store";
import type { World } from "./world.ts";

/**
 * Another instance takes the work item over, as a person lets it when this one seems to be gone.
 */
export async function adopt(world: World, number: number): Promise<void> {
  const south = await openStore(`sqlite:${join(world.stateRoot, "loop.db")}`, {
    instance: "south",
    now: Date.now,
  });
  await south.instances.adopt("default", world.ref(number), {
    fold: (item) => adoptedBy(item, "default", "south"),
    note: "was under way",
    check: () => {},
    lines: () => [],
  });
  await south.close();
}
