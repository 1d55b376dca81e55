import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { footprint, manifestPath } from "@loopwork/core/config";
import { createScene, type Scene } from "../support/scene.ts";

function repository(): Scene {
  const scene = createScene("state: { root: state }\n");
  execFileSync("git", ["init", "-q"], { cwd: scene.cwd });
  return scene;
}

function write(scene: Scene, path: string, text = "x\n"): void {
  mkdirSync(dirname(join(scene.cwd, path)), { recursive: true });
  writeFileSync(join(scene.cwd, path), text);
}

const check = async (
  scene: Scene,
): Promise<{ readonly code: number; readonly found: readonly string[] }> => {
  const ran = await scene.loop("manifest", "check", "--json");
  return {
    code: ran.code,
    found: Object(ran.json()).findings.map(
      ({ kind, path }: { kind: string; path: string }) => `${kind} ${path}`,
    ),
  };
};

test("a manifest begins where somebody says so, lists itself, and what is added", async () => {
  const scene = repository();
  expect(
    await scene.loop("manifest", "add", "docs/specs/", "--role", "artifacts", "--create"),
  ).toMatchObject({
    code: 0,
    out: expect.stringContaining("Added docs/specs/ to .loop/manifest.yaml"),
  });
  expect(readFileSync(join(scene.cwd, manifestPath), "utf8")).toContain(
    "  - path: docs/specs/\n    role: artifacts\n    owner: project\n",
  );
  expect(await check(scene)).toEqual({ code: 0, found: [] });
});

test.each(["check", "add docs/specs/ --role artifacts", "remove docs/specs/"])(
  "in a repository that did not choose loop `loop manifest %s` begins nothing",
  async (words) => {
    const scene = repository();
    expect(await scene.loop("manifest", ...words.split(" "))).toMatchObject({
      code: 2,
      err: expect.stringContaining("LOOP_E_MANIFEST_MISSING"),
    });
    expect(existsSync(join(scene.cwd, ".loop"))).toBe(false);
  },
);

test("what is missing, changed or not listed is told, and exits 1", async () => {
  const scene = repository();
  write(scene, ".loop/notes.yaml");
  await scene.loop(
    "manifest",
    "add",
    ".loop/notes.yaml",
    "--role",
    "notes",
    "--owner",
    "loop",
    "--digest",
    "--create",
  );
  expect(await check(scene)).toEqual({ code: 0, found: [] });
  write(scene, ".loop/notes.yaml", "y\n");
  write(scene, ".loop/stray.yaml");
  await scene.loop("manifest", "add", ".loop/gone.yaml", "--role", "notes");
  expect(await check(scene)).toEqual({
    code: 1,
    found: ["missing .loop/gone.yaml", "changed .loop/notes.yaml", "unlisted .loop/stray.yaml"],
  });
  expect((await scene.loop("manifest", "check")).out).toContain(
    ".loop/stray.yaml is a file of the product and not listed",
  );
});

test("what is removed is listed no longer, and stays", async () => {
  const scene = repository();
  write(scene, "docs/learnings/learnings.md");
  await scene.loop("manifest", "add", "docs/learnings/", "--role", "learnings", "--create");
  expect(await scene.loop("manifest", "remove", "docs/learnings/")).toMatchObject({ code: 0 });
  expect(await scene.loop("manifest", "remove", "docs/learnings/")).toMatchObject({ code: 1 });
  expect(await check(scene)).toEqual({ code: 1, found: ["unlisted docs/learnings/learnings.md"] });
});

test.each([
  ["../outside", "--role artifacts", "LOOP_E_USAGE"],
  ["docs/", "--role Big", "role: must be lower-case letters"],
  ["docs/", "--role x --owner me", 'Invalid --owner "me"'],
  ["docs/", "--role x --digest", "docs/ is not a file"],
  ["docs/", "", "LOOP_E_USAGE"],
])("`loop manifest add %s %s` is refused and changes nothing", async (path, options, why) => {
  const scene = repository();
  await scene.loop("manifest", "add", "a/", "--role", "artifacts", "--create");
  const before = readFileSync(join(scene.cwd, manifestPath), "utf8");
  expect(
    await scene.loop("manifest", "add", path, ...options.split(" ").filter(Boolean)),
  ).toMatchObject({ code: 2, err: expect.stringContaining(why) });
  expect(readFileSync(join(scene.cwd, manifestPath), "utf8")).toBe(before);
});

test("a manifest that is broken is told so, and stays as it is", async () => {
  const scene = repository();
  write(scene, manifestPath, "version: 2\n");
  expect(await scene.loop("manifest", "check")).toMatchObject({
    code: 2,
    err: expect.stringContaining("version: must be 1"),
  });
  expect(await scene.loop("manifest", "add", "a/", "--role", "artifacts")).toMatchObject({
    code: 2,
  });
  expect(readFileSync(join(scene.cwd, manifestPath), "utf8")).toBe("version: 2\n");
});

test("every file that the product writes in a repository, ignored or not, stands in its manifest and in the list of places", async () => {
  const scene = repository();
  await scene.loop("manifest", "add", "docs/specs/", "--role", "artifacts", "--create");
  execFileSync("git", ["add", manifestPath], { cwd: scene.cwd });
  execFileSync(
    "git",
    ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", "Choose loop"],
    { cwd: scene.cwd },
  );
  for (let times = 0; times < 3; times += 1)
    await scene.loop(
      "learnings",
      "capture",
      "Start the database before the integration tests",
      "--category",
      "testing",
    );
  await scene.loop("learnings", "consolidate");
  await scene.loop("learnings", "capture", "Never mock the clock", "--category", "testing");
  expect(await check(scene)).toEqual({ code: 0, found: [] });
  const files = execFileSync("git", ["status", "--porcelain", "-uall", "--ignored=traditional"], {
    cwd: scene.cwd,
    encoding: "utf8",
  })
    .split("\n")
    .filter(Boolean)
    .map((row) => row.slice(3))
    .concat(manifestPath);
  const listed: readonly string[] = Object(
    (await scene.loop("manifest", "check", "--json")).json(),
  ).files.map(({ path }: { path: string }) => path);
  expect(outside(files, listed)).toEqual([]);
  expect(
    outside(
      files,
      footprint.map(({ path }) => path),
    ),
  ).toEqual([]);
  const kinds = [
    "docs/learnings/learnings.md",
    "docs/learnings/learning-001.md",
    ".loop/learnings-pending/.gitignore",
    manifestPath,
  ];
  expect(files).toEqual(expect.arrayContaining(kinds));
  expect(files.length).toBeGreaterThan(kinds.length);
  expect(outside([...files, ".loop/elsewhere.yaml"], listed)).toEqual([".loop/elsewhere.yaml"]);
});

function outside(files: readonly string[], listed: readonly string[]): readonly string[] {
  return files.filter(
    (file) =>
      !listed.some((path) => file === path || (path.endsWith("/") && file.startsWith(path))),
  );
}

const words = {
  add: "add docs/specs/ --role artifacts --create",
  remove: "remove docs/specs/",
  check: "check",
};

test.each(Object.values(words))(
  "nothing is read or written through a link in the place of .loop: `loop manifest %s`",
  async (command) => {
    const scene = repository();
    const victim = join(scene.dir, "victim");
    mkdirSync(victim);
    symlinkSync("../victim", join(scene.cwd, ".loop"));
    const ran = await scene.loop("manifest", ...command.split(" "));
    expect(ran).toMatchObject({
      code: 2,
      err: expect.stringMatching(/\.loop is a symbolic link[^]*LOOP_E_MANIFEST/),
    });
    expect(readdirSync(victim)).toEqual([]);
  },
);

test.each(Object.values(words))(
  "nor through one in the place of the manifest: `loop manifest %s`",
  async (command) => {
    const scene = repository();
    const victim = join(scene.dir, "victim.yaml");
    mkdirSync(join(scene.cwd, ".loop"));
    for (const target of [victim, join(scene.dir, "not-there.yaml")]) {
      if (target === victim)
        writeFileSync(victim, "version: 1\nproduct: loop\nproductVersion: 1.0.0\nfiles: []\n");
      execFileSync("ln", ["-sfn", target, join(scene.cwd, manifestPath)]);
      const ran = await scene.loop("manifest", ...command.split(" "));
      expect(ran).toMatchObject({
        code: 2,
        err: expect.stringMatching(/manifest\.yaml is a symbolic link[^]*LOOP_E_MANIFEST/),
      });
    }
    expect(readFileSync(victim, "utf8")).toContain("files: []");
    expect(existsSync(join(scene.dir, "not-there.yaml"))).toBe(false);
  },
);

test.each(Object.values(words))(
  "a manifest of 10 GB without content is an error with a hint, and isn't read: `loop manifest %s`",
  async (command) => {
    const scene = repository();
    write(scene, manifestPath, "");
    truncateSync(join(scene.cwd, manifestPath), 10 * 1024 ** 3);
    const before = process.memoryUsage().rss;
    const ran = await scene.loop("manifest", ...command.split(" "));
    expect(ran).toMatchObject({
      code: 2,
      err: expect.stringMatching(/more than 1048576 bytes[^]*LOOP_E_MANIFEST/),
    });
    expect(ran.err).not.toContain("LOOP_E_BUG");
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  },
);

test("a listed file without content has its digest compared in pieces", async () => {
  const scene = repository();
  write(scene, "big", "");
  truncateSync(join(scene.cwd, "big"), 512 * 1024 ** 2);
  const before = process.memoryUsage().rss;
  expect(
    await scene.loop("manifest", "add", "big", "--role", "state", "--digest", "--create"),
  ).toMatchObject({ code: 0 });
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  expect(await check(scene)).toEqual({ code: 0, found: [] });
}, 60_000);
