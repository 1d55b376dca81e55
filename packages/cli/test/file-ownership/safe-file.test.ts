import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  isPrivateGroup,
  ownIdentity,
  unmappedUid,
} from "../../src/file-ownership/private-group.ts";
import { readSafeFile } from "../../src/file-ownership/safe-file.ts";
import { createScene } from "../support/scene.ts";

const own = ownIdentity() ?? { uid: 0, gid: 0 };
/** Somebody who is neither this user nor root. */
const stranger = { uid: 54_321, gid: 54_321 };

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "loop-safe-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function fileIn(dir: string, text = "x: 1\n"): string {
  const file = join(dir, "cli-config.yaml");
  writeFileSync(file, text);
  return file;
}

const kindOf = (file: string, who: typeof own = own): string => readSafeFile(file, 1_000, who).kind;
const whyOf = (file: string, who: typeof own = own): string => {
  const read = readSafeFile(file, 1_000, who);
  return read.kind === "text" ? "" : `${read.kind}: ${read.why}`;
};

/**
 * Lets the file belong to somebody else where that can be done, and else looks at it as somebody
 * else.
 */
function asForeign(path: string): typeof own {
  if (own.uid !== 0) return stranger;
  chownSync(path, stranger.uid, stranger.gid);
  return own;
}

describe("a file that decides what runs", () => {
  test("is read where nobody else can write it, also below the sticky folder for temporary files", () => {
    const file = fileIn(folder());
    expect(readSafeFile(file, 1_000)).toMatchObject({ kind: "text", text: "x: 1\n" });
  });

  test.each([
    [0o602, "o-w"],
    [0o666, "go-w"],
    [0o646, "o-w"],
  ])("is refused with mode %o, with what to type: chmod %s", (mode, fix) => {
    const file = fileIn(folder());
    chmodSync(file, mode);
    expect(readSafeFile(file, 1_000)).toMatchObject({
      kind: "unsafe",
      why: `${file} can be written by every user`,
      hint: `if you trust it, run: chmod ${fix} '${file}'`,
    });
    execFileSync("sh", ["-c", `chmod ${fix} '${file}'`]);
    expect(kindOf(file)).toBe("text");
  });

  test("is refused below a folder that every user can write, however deep", () => {
    const dir = folder();
    mkdirSync(join(dir, "a", "b"), { recursive: true });
    const file = fileIn(join(dir, "a", "b"));
    chmodSync(join(dir, "a"), 0o777);
    expect(whyOf(file)).toBe(`unsafe: ${join(dir, "a")} can be written by every user`);
    chmodSync(join(dir, "a"), 0o1777);
    expect(kindOf(file)).toBe("text");
  });

  test("is refused when it belongs to somebody else, and so is a folder on the way", () => {
    const [dir, other] = [folder(), folder()];
    const file = fileIn(dir);
    expect(whyOf(file, asForeign(file))).toContain("belongs to another user");
    mkdirSync(join(other, "a"));
    const below = fileIn(join(other, "a"));
    expect(whyOf(below, asForeign(join(other, "a")))).toContain("belongs to another user");
  });

  test("is refused for root unless it is root's", () => {
    const file = fileIn(folder());
    if (own.uid === 0) chownSync(file, 1_000, 1_000);
    expect(whyOf(file, { uid: 0, gid: 0 })).toContain("belongs to another user (uid");
  });

  test("is refused when a shared group can write it, and read when the group is the user's own", () => {
    const file = fileIn(folder());
    chmodSync(file, 0o664);
    if (own.uid === 0) chownSync(file, 0, 54_321);
    expect(whyOf(file, own.uid === 0 ? own : { ...own, gid: own.gid + 1 })).toContain(
      "can be written by a group",
    );
  });

  test("is refused behind a link in a folder that others can write, wherever the link leads", () => {
    const [dir, shared] = [folder(), folder()];
    const file = fileIn(dir);
    chmodSync(shared, 0o777);
    symlinkSync(file, join(shared, "link.yaml"));
    expect(whyOf(join(shared, "link.yaml"))).toBe(`unsafe: ${shared} can be written by every user`);
    symlinkSync(shared, join(dir, "through"));
    symlinkSync(join("through", "link.yaml"), join(dir, "twice.yaml"));
    expect(whyOf(join(dir, "twice.yaml"))).toBe(`unsafe: ${shared} can be written by every user`);
  });

  test("is read through links that nobody else can change, and found where they lead", () => {
    const dir = folder();
    const file = fileIn(dir);
    mkdirSync(join(dir, "a"));
    symlinkSync("../cli-config.yaml", join(dir, "a", "link.yaml"));
    expect(readSafeFile(join(dir, "a", "link.yaml"), 1_000)).toMatchObject({
      kind: "text",
      realPath: expect.stringMatching(/loop-safe-[^/]+\/cli-config\.yaml$/),
    });
    linkSync(file, join(dir, "hard.yaml"));
    expect(kindOf(join(dir, "hard.yaml"))).toBe("text");
    symlinkSync("loop.yaml", join(dir, "loop.yaml"));
    expect(kindOf(join(dir, "loop.yaml"))).toBe("unreadable");
  });

  test("is no pipe, device or folder, and none of them is waited for", () => {
    const dir = folder();
    execFileSync("mkfifo", [join(dir, "pipe")]);
    expect([join(dir, "pipe"), "/dev/zero", dir].map((path) => whyOf(path))).toEqual([
      "unreadable: it is not a regular file",
      "unreadable: it is not a regular file",
      "unreadable: it is a folder",
    ]);
  });

  test("is read up to a bound", () => {
    const file = fileIn(folder());
    truncateSync(file, 1024 ** 4);
    expect(kindOf(file)).toBe("too-large");
  });
});

/**
 * What sets access-control lists; CI installs it, and elsewhere these tests are shown as skipped.
 */
const hasAcl = spawnSync("setfacl", ["--version"]).status === 0;
const grant = (entry: string, path: string, ...more: readonly string[]): void =>
  void execFileSync("setfacl", [...more, "-m", entry, path]);

describe.runIf(process.platform === "linux")("access-control lists", () => {
  test.runIf(hasAcl)(
    "another user who may write a file or a folder on the way makes it unsafe",
    () => {
      const dir = folder();
      const file = fileIn(dir);
      grant("u:nobody:rw", file);
      expect(whyOf(file)).toBe(
        `unsafe: ${file} has an access-control list, by which others may write it`,
      );
      expect(readSafeFile(file, 1_000)).toMatchObject({
        hint: `if you trust it, run: chmod g-w '${file}'`,
      });
      execFileSync("sh", ["-c", `chmod g-w '${file}'`]);
      expect(kindOf(file)).toBe("text");
      grant("u:nobody:rwx", dir);
      expect(whyOf(file)).toBe(
        `unsafe: ${dir} has an access-control list, by which others may write it`,
      );
    },
  );

  test.runIf(hasAcl)("a group of several that may write a file makes it unsafe", () => {
    const file = fileIn(folder());
    grant("g:games:rw", file);
    expect(whyOf(file)).toContain("has an access-control list");
  });

  test.runIf(hasAcl)("a list that lets nobody else write leaves a file as safe as it was", () => {
    const file = fileIn(folder());
    grant("u:nobody:r", file);
    expect(kindOf(file)).toBe("text");
    grant("u:nobody:rw", file, "-n");
    execFileSync("chmod", ["g-w", file]);
    expect(kindOf(file)).toBe("text");
  });

  test.runIf(hasAcl)("what a folder gives to new files counts as soon as a file has it", () => {
    const dir = folder();
    grant("u:nobody:rw", dir, "-d");
    const file = join(dir, "cli-config.yaml");
    writeFileSync(file, "x: 1\n", { mode: 0o664 });
    expect(whyOf(file)).toContain("has an access-control list");
    rmSync(file);
    writeFileSync(file, "x: 1\n", { mode: 0o600 });
    expect(kindOf(file)).toBe("text");
  });

  test("a file that the user's own group may write is safe without a list", () => {
    const file = fileIn(folder());
    chmodSync(file, 0o664);
    expect(kindOf(file)).toBe(isPrivateGroup(own.gid, own) ? "text" : "unsafe");
  });
});

const passwd =
  "root:x:0:0::/root:/bin/sh\nada:x:1000:1000::/home/ada:/bin/sh\ngrace:x:1001:1001::/home/grace:/bin/sh\nbob:x:1002:100::/home/bob:/bin/sh\neve:x:1003:100::/home/eve:/bin/sh\n";

test.each<[string, number, number, string, boolean]>([
  ["her own group, without members", 1000, 1000, "ada:x:1000:\n", true],
  ["her own group, with herself", 1000, 1000, "ada:x:1000:ada\n", true],
  ["her own group, with somebody else", 1000, 1000, "ada:x:1000:grace\n", false],
  ["a group that is not her first", 1000, 27, "sudo:x:27:ada\n", false],
  ["a first group that somebody else has too", 1002, 100, "users:x:100:\n", false],
  ["a group that stands in no file", 1000, 1000, "", false],
])("a group is private: %s", (_which, uid, gid, group, expected) => {
  const ownGid = uid === 1000 ? 1000 : 100;
  expect(isPrivateGroup(gid, { uid, gid: ownGid }, { passwd, group })).toBe(expected);
});

describe("commands", () => {
  test("pass over a file in the working directory that others could have written, say so, and use the one at home", async () => {
    const scene = createScene();
    delete scene.env["LOOP_CONFIG"];
    mkdirSync(join(scene.home, ".loop"));
    writeFileSync(join(scene.home, ".loop", "cli-config.yaml"), "instance: { name: home }\n");
    writeFileSync(join(scene.cwd, "cli-config.yaml"), "instance: { name: theirs }\n");
    chmodSync(scene.cwd, 0o777);
    const ran = await scene.loop("config", "show");
    expect(ran).toMatchObject({
      code: 0,
      err: expect.stringContaining(
        `Ignoring ${join(scene.cwd, "cli-config.yaml")}: ${scene.cwd} can be written by every user.`,
      ),
    });
    expect(ran.out).toContain('"home"');
    expect(await scene.loop("config", "trust")).toMatchObject({
      code: 2,
      err: expect.stringContaining("LOOP_E_CONFIG_OWNER"),
    });
    expect(await scene.loop("start")).toMatchObject({
      code: 2,
      err: expect.stringContaining("LOOP_E_CONFIG_UNTRUSTED"),
    });
  });

  test.each(["--config", "LOOP_CONFIG", "home"])(
    "refuse a file that others could have written when %s leads to it",
    async (how) => {
      const scene = createScene("instance: { name: theirs }\n");
      const file = how === "home" ? join(scene.home, ".loop", "cli-config.yaml") : scene.configFile;
      if (how !== "LOOP_CONFIG") delete scene.env["LOOP_CONFIG"];
      mkdirSync(join(scene.home, ".loop"));
      writeFileSync(file, "instance: { name: theirs }\n");
      chmodSync(file, 0o666);
      const words = how === "--config" ? ["--config", file] : [];
      const ran = await scene.loop(...words, "config", "show");
      expect(ran).toMatchObject({ code: 2, err: expect.stringContaining("LOOP_E_CONFIG_OWNER") });
      expect(await scene.loop(...words, "hook", "session-start")).toMatchObject({
        code: 0,
        out: "",
      });
      const typed = /run: (chmod go-w .*)$/m.exec(ran.err)?.[1] ?? "false";
      execFileSync("sh", ["-c", typed]);
      expect((await scene.loop(...words, "config", "show")).code).toBe(0);
    },
  );

  test("refuse an env file that others could have written", async () => {
    const scene = createScene("env: { file: loop.env }\n");
    writeFileSync(join(scene.dir, "loop.env"), "LOOP_HOST_TOKEN=x\n");
    chmodSync(join(scene.dir, "loop.env"), 0o606);
    expect(await scene.loop("config", "show")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/LOOP_E_ENV_FILE[^]*chmod o-w/),
    });
  });

  test("are not kept waiting by a pipe in the place of a configuration", () => {
    const scene = createScene();
    execFileSync("mkfifo", [join(scene.cwd, "cli-config.yaml")]);
    const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
    const { LOOP_CONFIG: _named, ...env } = scene.env;
    const ran = spawnSync(
      process.execPath,
      ["--conditions=@loopwork/source", bin, "hook", "session-start"],
      { cwd: scene.cwd, env, encoding: "utf8", input: "{}" },
    );
    expect(ran).toMatchObject({
      status: 0,
      stdout: "",
      stderr: expect.stringContaining("it is not a regular file"),
    });
  });
});

describe("in a user namespace", () => {
  test("folders of owners outside of it are safe unless others can write to them; files and links of theirs are not", () => {
    const dir = folder();
    const file = fileIn(dir);
    const who = { ...asForeign(dir), unmapped: own.uid === 0 ? stranger.uid : own.uid };
    asForeign(file);
    expect(whyOf(file, { ...who, unmapped: null })).toContain(`unsafe: ${dir} belongs to`);
    expect(whyOf(file, who)).toContain(`unsafe: ${file} belongs to`);
    if (own.uid === 0) chownSync(file, 0, 0);
    if (own.uid === 0) expect(kindOf(file, who)).toBe("text");
    chmodSync(dir, 0o777);
    expect(whyOf(file, who)).toContain(`unsafe: ${dir} can be written by every user`);
    chmodSync(dir, 0o775);
    expect(whyOf(file, who)).toContain(`unsafe: ${dir} can be written by a group`);
  });

  test.each<[string, string, number | null]>([
    ["         0          0 4294967295\n", "65534\n", null],
    ["      1000       1000          1\n", "65534\n", 65_534],
    ["         0       1000          1\n         1     100000      65536\n", "65534\n", null],
    ["         0       1000          1\n         1     100000      60000\n", "65534\n", 65_534],
    ["", "65534\n", null],
    ["      1000       1000          1\n", "", null],
  ])("%j with the overflow id %j leaves %j for owners outside", (map, overflow, expected) => {
    expect(unmappedUid(map, overflow)).toBe(expected);
  });
});
