import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig, noDaemons } from "../../src/configuration/load-config.ts";
import { openConfig } from "../../src/configuration/open-config.ts";
import { watchConfig } from "../../src/configuration/watch-config.ts";
import { foundConfig, nameOf } from "../support/found-config.ts";
import { type Scene } from "../support/scene.ts";

const records = (scene: Scene): readonly string[] =>
  readdirSync(join(scene.home, ".loop", "trusted-configs"));

describe("the record of trust", () => {
  test("is the user's alone to read, and counts for nobody else's words", async () => {
    const { scene } = foundConfig("instance: { name: one }\n");
    await scene.loop("config", "trust");
    const [name = ""] = records(scene);
    const record = join(scene.home, ".loop", "trusted-configs", name);
    expect(statSync(record).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(record)).mode & 0o777).toBe(0o700);
    chmodSync(record, 0o666);
    expect(nameOf(scene)).toBe("default");
  });

  test("is bound to the place: the same words elsewhere are not trusted, nor are they through a link to the trusted file or its folder", async () => {
    const { scene, file } = foundConfig(
      "harnesses: { A: { command: ./agent.sh } }\ninstance: { name: one }\n",
    );
    await scene.loop("config", "trust");
    const other = join(scene.dir, "other");
    mkdirSync(join(other, ".loop"), { recursive: true });
    symlinkSync(file, join(other, ".loop", "cli-config.yaml"));
    expect(loadConfig(null, { ...scene, cwd: other }).file).toBeNull();
    rmSync(join(other, ".loop", "cli-config.yaml"));
    linkSync(file, join(other, ".loop", "cli-config.yaml"));
    expect(loadConfig(null, { ...scene, cwd: other }).file).toBeNull();
    rmSync(join(other, ".loop"), { recursive: true });
    symlinkSync(dirname(file), join(other, ".loop"));
    expect(loadConfig(null, { ...scene, cwd: other }).file).toBeNull();
    mkdirSync(join(scene.home, ".loop"), { recursive: true });
    writeFileSync(join(scene.home, ".loop", "cli-config.yaml"), "instance: { name: home }\n");
    rmSync(join(other, ".loop"));
    symlinkSync(join(scene.home, ".loop"), join(other, ".loop"));
    expect(loadConfig(null, { ...scene, cwd: other })).toMatchObject({
      file: join(scene.home, ".loop", "cli-config.yaml"),
      paths: { base: scene.home },
    });
  });

  test("is bound to where a link leads: the same words behind another target have to be trusted anew", async () => {
    const { scene, file } = foundConfig("");
    const targets = ["a.yaml", "b.yaml"].map((name) => join(scene.dir, name));
    for (const target of targets) writeFileSync(target, "instance: { name: one }\n");
    const lead = (target = ""): void => (rmSync(file), symlinkSync(target, file));
    lead(targets[0]);
    await scene.loop("config", "trust");
    expect(openConfig(null, scene).refused).toEqual([]);
    lead(targets[1]);
    expect(openConfig(null, scene).refused.map(({ why }) => why)).toEqual(["changed"]);
  });

  test("follows the links of the folder: the same folder under another name is the same place", async () => {
    const { scene } = foundConfig("instance: { name: one }\n");
    await scene.loop("config", "trust");
    const other = join(scene.dir, "other");
    symlinkSync(scene.cwd, other);
    expect(loadConfig(null, { ...scene, cwd: other }).config.instance.name).toBe("one");
    expect(realpathSync(other)).toBe(realpathSync(scene.cwd));
  });
});

describe("a record of trust that can't be relied on", () => {
  const recordOf = (scene: Scene): string =>
    join(scene.home, ".loop", "trusted-configs", records(scene)[0] ?? "");
  const damages: readonly [string, (record: string) => void][] = [
    ["that every user can write", (record) => chmodSync(record, 0o666)],
    ["that was truncated", (record) => writeFileSync(record, "")],
    ["of another place", (record) => writeFileSync(record, '{"place":"","realPath":"","text":""}')],
    ["that is a folder", (record) => (rmSync(record), mkdirSync(record))],
    ["in a folder that every user can write", (record) => chmodSync(dirname(record), 0o777)],
    [
      "that was removed from a folder that every user can write",
      (record) => (rmSync(record), chmodSync(dirname(record), 0o777)),
    ],
    [
      "that was removed from a home folder that every user can write",
      (record) => (
        rmSync(dirname(record), { recursive: true }),
        chmodSync(dirname(dirname(record)), 0o777)
      ),
    ],
  ];

  test.each(damages)("keeps a changed file that is named from use: one %s", async (_, damage) => {
    const { scene, file, write } = foundConfig("instance: { name: one }\n");
    await scene.loop("config", "trust");
    write("instance: { name: two }\n");
    damage(recordOf(scene));
    expect(await scene.loop("--config", file, "config", "show")).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("LOOP_E_CONFIG_TRUST"),
    });
  });

  test.each(damages)("keeps a revoked file that is named from use: one %s", async (_, damage) => {
    const { scene, file } = foundConfig("instance: { name: one }\n");
    await scene.loop("config", "trust");
    await scene.loop("config", "trust", "--revoke");
    damage(recordOf(scene));
    expect(await scene.loop("--config", file, "config", "show")).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("LOOP_E_CONFIG_TRUST"),
    });
  });

  test("says so in the folder of the file as well, keeps the service from starting, and is replaced by what the hint says", async () => {
    const { scene, file } = foundConfig("instance: { name: one }\n");
    await scene.loop("config", "trust");
    writeFileSync(recordOf(scene), "");
    const shown = await scene.loop("config", "show");
    expect(shown.err).toContain(`Ignoring ${file}: its record of trust can't be used: `);
    const { err } = await scene.loop("start");
    expect(err).toContain("LOOP_E_CONFIG_UNTRUSTED");
    expect(err).toContain(`\`loop --config ${file} config trust\``);
    expect(await scene.loop("--config", file, "config", "trust")).toMatchObject({ code: 0 });
    expect(nameOf(scene)).toBe("one");
  });

  test("is not suspected where the home folder is no folder, as that of a system account", async () => {
    const { scene, file } = foundConfig("instance: { name: one }\n");
    const found = openConfig(file, { ...scene, home: "/dev/null" });
    expect(found).toMatchObject({ config: { text: "instance: { name: one }\n" }, refused: [] });
  });

  test("can be replaced by a revocation", async () => {
    const { scene, file } = foundConfig("instance: { name: one }\n");
    await scene.loop("config", "trust");
    writeFileSync(recordOf(scene), "{");
    expect(await scene.loop("config", "trust", "--revoke")).toMatchObject({ code: 0 });
    expect(openConfig(file, scene).refused.map(({ why }) => why)).toEqual(["revoked"]);
  });
});

describe("a running service", () => {
  test("keeps the trusted text when the file changes, says so once, and takes the new text once it is trusted", async () => {
    const { scene, write } = foundConfig("polling: { intervalSeconds: 60 }\n");
    await scene.loop("config", "trust");
    const told: string[] = [];
    const config = watchConfig(loadConfig(null, scene), noDaemons, scene, (change) =>
      told.push(change.kind === "loaded" ? "loaded" : `${change.kind}: ${change.why}`),
    );
    const interval = (): number => config.settings().config.polling.intervalSeconds;
    write("polling: { intervalSeconds: 90 }\n");
    expect([interval(), interval(), interval()]).toEqual([60, 60, 60]);
    expect(told).toEqual([
      expect.stringMatching(
        /^untrusted: .* changed since you trusted it; the trusted version stays in force/,
      ),
    ]);
    await scene.loop("config", "trust");
    expect(interval()).toBe(90);
    await scene.loop("config", "trust", "--revoke");
    expect(interval()).toBe(90);
    rmSync(join(scene.home, ".loop", "trusted-configs"), { recursive: true });
    write("polling: { intervalSeconds: 120 }\n");
    expect(interval()).toBe(90);
    expect(told.map((each) => each.split(":")[0])).toEqual([
      "untrusted",
      "loaded",
      "untrusted",
      "untrusted",
    ]);
  });

  test("status and doctor name a file that isn't in force", async () => {
    const { scene, file, write } = foundConfig(
      "service: { enabled: false }\nharnesses: { A: { command: 'true' } }\n",
    );
    await scene.loop("config", "trust");
    write("service: { enabled: false }\nharnesses: { A: { command: 'false' } }\n");
    expect((await scene.loop("status")).out).toContain(`${file} (changed)`);
    expect((await scene.loop("doctor")).out).toContain(
      `! Configuration   ${file} changed since you trusted it, so the trusted version is used`,
    );
  });
});
