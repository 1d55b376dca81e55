import { describe, expect, test } from "vitest";
import { decideSandbox, type SandboxFacts } from "../../src/index.ts";

const able: SandboxFacts = {
  platform: "linux",
  isRoot: false,
  runner: "headless",
  missing: [],
  probeFailure: null,
  silentVersion: null,
  hasOwnGitDirectory: true,
  hidesSystem: null,
};
const obstacles: readonly (readonly [string, Partial<SandboxFacts>, RegExp, RegExp])[] = [
  [
    "another system than Linux",
    { platform: "darwin" },
    /on Linux only, and this is darwin/,
    /sandbox: off/,
  ],
  [
    "root, where the sandbox protects nothing",
    { isRoot: true },
    /as root, where the sandbox protects nothing/,
    /user of its own/,
  ],
  ["turns in terminals", { runner: "tmux" }, /in terminals/, /routing\.runner: headless/],
  [
    "a program that is missing",
    { missing: ["bwrap"] },
    /^bwrap isn't installed$/,
    /^install bubblewrap$/,
  ],
  [
    "two programs that are missing",
    { missing: ["bwrap", "socat"] },
    /^bwrap and socat aren't installed$/,
    /^install bubblewrap and socat$/,
  ],
  [
    "forbidden user namespaces",
    { probeFailure: "setting up uid map: Permission denied" },
    /forbids user namespaces \(setting up uid map: Permission denied\)/,
    /unprivileged user namespaces/,
  ],
  [
    "a harness that doesn't report its sandbox",
    { silentVersion: "2.1.329" },
    /Claude Code 2\.1\.329 doesn't report/,
    /2\.1\.332 or newer/,
  ],
  [
    "a home that holds the system",
    { hidesSystem: "/" },
    /^\/ would have to be hidden/,
    /home folder of its own/,
  ],
  ["a worktree", { hasOwnGitDirectory: false }, /worktrees of one clone share/, /strategy: clone/],
];

describe("harnesses.A.sandbox", () => {
  test("auto and required are on where nothing is in the way, and off is off", () => {
    expect(decideSandbox("auto", able)).toEqual({ kind: "on" });
    expect(decideSandbox("required", able)).toEqual({ kind: "on" });
    expect(decideSandbox("off", able)).toEqual({
      kind: "off",
      why: "harnesses.A.sandbox is off",
      hint: null,
    });
  });

  test.each(obstacles)(
    "%s turns auto off and makes required hold, with why and what to type",
    (_name, over, why, hint) => {
      const facts = { ...able, ...over };
      expect(decideSandbox("auto", facts)).toEqual({
        kind: "off",
        why: expect.stringMatching(why),
        hint: expect.stringMatching(hint),
      });
      expect(decideSandbox("required", facts)).toEqual({
        kind: "hold",
        why: expect.stringMatching(why),
        hint: expect.stringMatching(hint),
      });
      expect(decideSandbox("off", facts)).toMatchObject({
        kind: "off",
        why: "harnesses.A.sandbox is off",
      });
    },
  );

  test("of several obstacles the one is named that has to go first", () => {
    expect(
      decideSandbox("auto", {
        ...able,
        isRoot: true,
        missing: ["socat"],
        hasOwnGitDirectory: false,
      }),
    ).toMatchObject({ why: expect.stringContaining("root") });
  });
});
