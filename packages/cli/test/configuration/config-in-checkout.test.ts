import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkedFor, enabledDaemons, loadConfig } from "../../src/configuration/load-config.ts";
import { watchConfig } from "../../src/configuration/watch-config.ts";
import { createScene, type Scene } from "../support/scene.ts";

const service = "service: { enabled: true }\n";

/** A repository beside the home that a configuration may name, and what a service makes of it. */
function repository(): { readonly scene: Scene; readonly repo: string } {
  const scene = createScene();
  const repo = join(scene.dir, "garden");
  mkdirSync(join(repo, ".loop"), { recursive: true });
  execFileSync("git", ["init", "-q", repo], { env: { PATH: scene.env["PATH"], HOME: scene.home } });
  return { scene, repo };
}

function write(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

function starts(scene: Scene, file: string): string {
  try {
    const loaded = loadConfig(file, scene);
    checkedFor(loaded, enabledDaemons(loaded.config), scene);
    return "starts";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

describe("a service whose sessions could write what steers it", () => {
  test.each([
    ["beside the folder that sessions work in", "loop.yaml", ""],
    ["in it, below .loop", "garden/.loop/cli-config.yaml", "LOOP_E_CONFIG_CHECKOUT"],
    ["in it", "garden/loop.yaml", "LOOP_E_CONFIG_CHECKOUT"],
  ])("with a named configuration %s", (_where, name, code) => {
    const { scene, repo } = repository();
    const file = write(join(scene.dir, name), `${service}routing: { spawnWorkdir: ${repo} }\n`);
    expect(starts(scene, file)).toBe(code || "starts");
  });

  test("with a named configuration that is reached by a link", () => {
    const { scene, repo } = repository();
    const file = write(
      join(repo, "conf/loop.yaml"),
      `${service}routing: { spawnWorkdir: ${repo} }\n`,
    );
    symlinkSync(dirname(file), join(scene.dir, "conf"));
    expect(starts(scene, join(scene.dir, "conf/loop.yaml"))).toBe("LOOP_E_CONFIG_CHECKOUT");
  });

  test("with one in a repository, where sessions have checkouts of their own", () => {
    const { scene, repo } = repository();
    const workspace = `routing: { spawnWorkdir: ${repo}, workspace: { root: ${join(scene.dir, "ws")} } }\n`;
    expect(starts(scene, write(join(repo, "loop.yaml"), service + workspace))).toBe("starts");
    const inside = write(join(scene.dir, "ws/loop.yaml"), service + workspace);
    expect(starts(scene, inside)).toMatch(/^LOOP_E_CONFIG/);
  });

  test("with a process graph there", () => {
    const { scene, repo } = repository();
    const withGraph = (graph: string): string =>
      write(
        join(scene.dir, "loop.yaml"),
        `${service}routing: { spawnWorkdir: ${repo}, graph: { specDir: specs, definition: ${graph} } }\n`,
      );
    expect(starts(scene, withGraph(join(repo, "graph.yaml")))).toBe("LOOP_E_CONFIG_CHECKOUT");
    expect(starts(scene, withGraph(join(scene.dir, "graph.yaml")))).toBe("starts");
  });

  test("keeps its settings when a change would put the graph there, and says so", () => {
    const { scene, repo } = repository();
    const text = `${service}routing: { spawnWorkdir: ${repo}, graph: { specDir: specs } }\n`;
    const file = write(join(scene.dir, "loop.yaml"), text);
    const loaded = loadConfig(file, scene);
    const changes: string[] = [];
    const watched = watchConfig(loaded, enabledDaemons(loaded.config), scene, (change) =>
      changes.push(`${change.kind} ${"why" in change ? change.why : ""}`),
    );
    writeFileSync(
      file,
      text.replace("specs }", `specs, definition: ${join(repo, "graph.yaml")} }`),
    );
    expect(watched.settings().graphFile).toBe(null);
    expect(changes).toEqual([
      expect.stringMatching(/^rejected routing\.graph\.definition .*sessions work in/),
    ]);
  });

  test("takes a configuration there once a person trusted it as it stands", async () => {
    const { scene, repo } = repository();
    const file = write(join(repo, "loop.yaml"), `${service}routing: { spawnWorkdir: ${repo} }\n`);
    const refused = await scene.loop("--config", file, "config", "validate");
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining(`loop --config '${file}' config trust`),
    ]);
    scene.terminal(() => "yes");
    const trusted = await scene.loop("--config", file, "config", "trust");
    expect([trusted.code, trusted.err]).toEqual([0, ""]);
    expect(starts(scene, file)).toBe("starts");
  });

  test("is told a command that a shell takes as one file, whatever the folder is called", async () => {
    const { scene, repo } = repository();
    const file = join(repo, "my config/loop.yaml");
    write(file, `${service}routing: { spawnWorkdir: ${repo} }\n`);
    const { err } = await scene.loop("--config", file, "config", "validate");
    expect(err).toContain(`loop --config '${file}' config trust`);
  });

  test("commands that start nothing go on with it", () => {
    const { scene, repo } = repository();
    const file = write(join(repo, "loop.yaml"), `${service}routing: { spawnWorkdir: ${repo} }\n`);
    expect(loadConfig(file, scene).file).toBe(file);
  });
});
