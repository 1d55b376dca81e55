import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hostThat, sceneAt } from "../support/host-for-init.ts";

const tutorial = readFileSync(
  join(import.meta.dirname, "..", "..", "..", "..", "docs", "tutorial.md"),
  "utf8",
);

test("the tutorial shows what `loop init` asks and prints", async () => {
  const host = await hostThat();
  const scene = sceneAt(host);
  let asked = "";
  scene.terminal((question) => {
    asked += `${question.trimEnd()}\n`;
    return "";
  });
  const { code, out, err } = await scene.loop(
    ...["init", "--repository", "ada/garden", "--user", "ada"],
  );
  const printed = `${asked}${err}${out}`
    .replaceAll(scene.home, "/home/ada")
    .replaceAll(host.url, "https://api.github.com")
    .replace("account 7", "account 583231");
  const shown = /```text\n(Public URL.*?)```/su.exec(tutorial)?.[1];
  expect([code, printed]).toEqual([0, shown]);
});
