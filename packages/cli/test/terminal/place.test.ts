import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ensureOwnFolder, placeOf, placeOfFolder } from "../../src/terminal/place.ts";
import { createTmux } from "../../src/terminal/tmux.ts";

const long = `/home/somebody/${"deep/".repeat(20)}state`;

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), "loop-place-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

describe("the place of terminals", () => {
  test("is under the state root", () => {
    expect(placeOf("/home/somebody/.loop")).toEqual({
      folder: "/home/somebody/.loop/terminals",
      socket: "/home/somebody/.loop/terminals/tmux",
    });
  });

  test("has its socket elsewhere where the path would be too long, and never the same for two state roots or users", () => {
    const sockets = [
      placeOf(long),
      placeOf(`${long}2`),
      placeOfFolder(join(long, "terminals"), "/tmp", 4711),
    ].map(({ socket }) => socket);
    expect(new Set(sockets).size).toBe(3);
    for (const socket of sockets) expect(Buffer.byteLength(socket)).toBeLessThan(60);
    expect(placeOf(long).folder).toBe(`${long}/terminals`);
  });

  test("counts bytes, not characters", () => {
    expect(placeOf(`/${"日".repeat(30)}`).socket.startsWith("/tmp/")).toBe(true);
  });
});

describe("a folder for terminals", () => {
  test("is made for its owner alone, and taken again", () => {
    const folder = join(scratch(), "a", "b");
    ensureOwnFolder(folder);
    ensureOwnFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test.each([
    [
      "that others may look into",
      (folder: string) => (mkdirSync(folder), chmodSync(folder, 0o755)),
    ],
    ["that is a link", (folder: string) => symlinkSync("/tmp", folder)],
    ["that is a link to nothing yet", (folder: string) => symlinkSync(`${folder}-later`, folder)],
    ["that is a file", (folder: string) => writeFileSync(folder, "")],
  ])("%s is refused", (_what, make) => {
    const folder = join(scratch(), "open");
    make(folder);
    expect(() => ensureOwnFolder(folder)).toThrow(
      expect.objectContaining({ code: "LOOP_E_TERMINAL" }),
    );
  });
});

test("a socket in a folder that others may look into is not spoken to", async () => {
  const dir = scratch();
  mkdirSync(join(dir, "open"));
  chmodSync(join(dir, "open"), 0o777);
  writeFileSync(join(dir, "open", "tmux"), "");
  const terminals = createTmux(
    { folder: join(dir, "terminals"), socket: join(dir, "open", "tmux") },
    "/nonexistent",
  );
  await expect(terminals.find("loop-x")).rejects.toMatchObject({ code: "LOOP_E_TERMINAL" });
});
