import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandTable } from "../../src/commands/table.ts";
import { createScene } from "../support/scene.ts";

/** What a real bash proposes for these words, after it has read our script. */
async function completed(words: readonly string[]): Promise<readonly string[]> {
  const scene = createScene();
  const file = join(scene.dir, "completion.bash");
  writeFileSync(file, (await scene.loop("completion", "bash")).out);
  const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _loop; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", script, "bash", file, ...words], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");
}

test("bash completes commands and the commands of a group, and no hidden one", async () => {
  expect(await completed(["loop", "st"])).toEqual(["start", "stop", "status", "store"]);
  expect(await completed(["loop", "sessions", ""])).toEqual(
    commandTable
      .filter(({ name }) => name.startsWith("sessions "))
      .map(({ name }) => name.slice("sessions ".length)),
  );
  expect(await completed(["loop", "turns", "re"])).toEqual(["retry"]);
  expect(await completed(["loop", "ho"])).toEqual([]);
});

test("zsh and fish get a script of their own kind", async () => {
  expect((await createScene().loop("completion", "zsh")).out).toContain("bashcompinit");
  expect((await createScene().loop("completion", "fish")).out).toContain(
    "complete -c loop -n __fish_use_subcommand -f -a status",
  );
});
