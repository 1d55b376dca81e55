import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RuntimeParts } from "@loopwork/runtime";
import type { World } from "./world.ts";

/**
 * The code host's own command line, logged in as ada: it posts and prints the comment's address,
 * after a while.
 */
export function writeHostCommand(world: World): void {
  const program = join(world.scene.dir, "bin", "gh");
  writeFileSync(
    program,
    `#!${process.execPath}
const [, , , , number, , body] = process.argv;
fetch(${JSON.stringify(world.host.apiUrl)} + "/repos/practice/garden/issues/" + number + "/comments", { method: "POST", headers: { authorization: "Bearer practice-ada", "content-type": "application/json" }, body: JSON.stringify({ body }) })
  .then((answer) => answer.json())
  .then(({ html_url }) => setTimeout(() => console.log(html_url), 300));
`,
  );
  chmodSync(program, 0o755);
  world.scene.env["PATH"] = `${join(world.scene.dir, "bin")}:${world.scene.env["PATH"]}`;
}

/** As if no hook had told of any post. */
export function forgetful(parts: RuntimeParts): RuntimeParts {
  const { events } = parts.store;
  return {
    ...parts,
    store: {
      ...parts.store,
      events: {
        ...events,
        list: async (query) => (query.kind === "host.posted" ? [] : events.list(query)),
      },
    },
  };
}
