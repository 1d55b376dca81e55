import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createScene, type Scene } from "../support/scene.ts";

const old = "# Ours.\nrouting:\n  harness: B # since spring\n  repositories: [octo/shop]\n";
const today =
  "# Ours.\nrouting:\n  defaultHarness: B # since spring\n  repositories: [ octo/shop ]\n";
const copies = (scene: Scene): readonly string[] =>
  readdirSync(dirname(scene.configFile)).filter((name) => name.startsWith("cli-config.yaml."));

test("it says what would be moved and writes nothing; with --write it does, and what stood there stays beside it", async () => {
  const scene = createScene(old);
  expect((await scene.loop("config", "validate")).err).toMatch(
    /routing\.defaultHarness[^]*run `loop config migrate`/,
  );
  const shown = await scene.loop("config", "migrate");
  expect([shown.code, shown.out]).toEqual([
    0,
    "Would move routing.harness (line 3) to routing.defaultHarness\nNothing was written. Run `loop config migrate --write` to apply this.\n",
  ]);
  expect([scene.text(), copies(scene)]).toEqual([old, []]);
  const written = await scene.loop("config", "migrate", "--write");
  expect(written.out).toContain("Moved routing.harness (line 3) to routing.defaultHarness\n");
  expect([written.code, scene.text()]).toEqual([0, today]);
  expect(
    copies(scene).map((name) => readFileSync(join(dirname(scene.configFile), name), "utf8")),
  ).toEqual([old]);
  expect(await scene.loop("config", "validate")).toMatchObject({ code: 0 });
  expect((await scene.loop("config", "migrate", "--write", "--json")).json()).toEqual({
    file: scene.configFile,
    moved: [],
    written: false,
    copy: null,
    left: [],
  });
  expect(copies(scene)).toHaveLength(1);
});

test("what only a person can do is left and listed, never with its value, and the exit code is 1", async () => {
  const scene = createScene(
    "webhooks: { hostWebhook: { secret: hunter2hunter2, allowedUsers: [ada] } }\n",
  );
  const ran = await scene.loop("config", "migrate", "--write");
  expect(ran.code).toBe(1);
  expect(ran.out).toMatch(/Fix by hand[^]*webhooks\.hostWebhook\.secret[^]*secretEnv/);
  expect(ran.out).not.toContain("hunter2");
  expect(scene.text()).toBe(
    "webhooks: { hostWebhook: { secret: hunter2hunter2 } }\nrouting:\n  authorizedUsers: [ ada ]\n",
  );
});

test("T02 a link is written through, and the mode is kept", async () => {
  const scene = createScene(old);
  const target = join(scene.dir, "dotfiles.yaml");
  renameSync(scene.configFile, target);
  symlinkSync(target, scene.configFile);
  chmodSync(target, 0o640);
  expect((await scene.loop("config", "migrate", "--write")).code).toBe(0);
  expect([readFileSync(target, "utf8"), (statSync(target).mode & 0o777).toString(8)]).toEqual([
    today,
    "640",
  ]);
});

test("where nothing is configured there is nothing to move", async () => {
  const scene = createScene();
  scene.env["LOOP_CONFIG"] = "";
  expect(await scene.loop("config", "migrate")).toMatchObject({
    code: 0,
    out: expect.stringContaining("loop init"),
  });
  expect(existsSync(join(scene.home, ".loop"))).toBe(false);
});
