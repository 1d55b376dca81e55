import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { RuntimeParts } from "@loopwork/runtime";
import { createScene, type Scene } from "./scene.ts";
import { createWorld, type Service, startService, type World } from "./world.ts";

/**
 * Two instances, north and south, each with a state root and a home of its own, that share a store.
 */
export type TwoMachines = {
  readonly north: World;
  readonly south: Scene;
  startSouth(decorate?: (parts: RuntimeParts) => RuntimeParts): Promise<Service>;
};

export async function twoMachines(): Promise<TwoMachines> {
  const folder = mkdtempSync(join(tmpdir(), "loop-shared-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const north = await createWorld({
    more: `instance: { name: north }\nstore: { url: ${JSON.stringify(`sqlite:${folder}/loop.db`)} }`,
  });
  const south = createScene(north.scene.text().replaceAll("name: north", "name: south"));
  Object.assign(south.env, north.scene.env, { HOME: south.home, LOOP_CONFIG: south.configFile });
  return {
    north,
    south,
    startSouth: (decorate = (parts) => parts) => startService(south, north.host, decorate),
  };
}
