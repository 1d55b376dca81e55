import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixtureCursor } from "@loopwork-tooling/fixture-harness";
import { createWorld, type World } from "./world.ts";

/**
 * The whole service with the fixture of harness B, which is found on the PATH under its documented
 * name.
 */
export async function createWorldOfB(routing = "  defaultHarness: B"): Promise<World> {
  const world = await createWorld({ routing });
  const program = join(world.scene.dir, "bin", "cursor-agent");
  writeFileSync(
    program,
    `#!/bin/sh\n[ -f "$HOME/harness.env" ] && . "$HOME/harness.env"\nexec ${process.execPath} ${fixtureCursor} "$@"\n`,
  );
  chmodSync(program, 0o755);
  Object.assign(world.scene.env, {
    PATH: `${join(world.scene.dir, "bin")}:${world.scene.env["PATH"]}`,
    CURSOR_DATA_DIR: join(world.scene.home, ".cursor"),
  });
  return world;
}

/** What was said in each chat, a line each. */
export function chatsOfB(world: World): Readonly<Record<string, readonly string[]>> {
  const folder = join(world.scene.home, ".cursor", "fixture-chats");
  return Object.fromEntries(
    readdirSync(folder).map((name) => [
      name,
      readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean),
    ]),
  );
}
