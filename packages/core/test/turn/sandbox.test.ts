import { describe, expect, test } from "vitest";
import { decideSandbox, type SandboxFacts } from "../../src/turn/sandbox.ts";

const able: SandboxFacts = {
  platform: "linux",
  isRoot: false,
  runner: "headless",
  missing: [],
  probe: { kind: "passed" },
  silentVersion: null,
  gitDirectory: "own",
  hidesSystem: null,
  ranSandboxed: false,
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
    { probe: { kind: "refused", why: "setting up uid map: Permission denied" } },
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
  ["a worktree", { gitDirectory: "shared" }, /worktrees of one clone share/, /strategy: clone/],
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

  test.each([
    [
      "a probe that gave no answer",
      { probe: { kind: "unanswered", why: "it took longer than 10 s" } },
      /didn't answer \(it took longer than 10 s\)/,
      /bwrap --unshare-all/,
    ],
    [
      "a checkout whose git directory something changed",
      { gitDirectory: "changed" },
      /checkout's \.git isn't the git directory that loop made/,
      /\.git\/commondir/,
    ],
  ] as const)(
    "%s holds in either mode, as it says nothing of the machine",
    (_n, over, why, hint) => {
      for (const mode of ["auto", "required"] as const)
        expect(decideSandbox(mode, { ...able, ...over })).toEqual({
          kind: "hold",
          why: expect.stringMatching(why),
          hint: expect.stringMatching(hint),
        });
      expect(decideSandbox("off", { ...able, ...over })).toMatchObject({ kind: "off" });
    },
  );

  test.each(obstacles)(
    "%s holds a work item that ran in the sandbox before, until somebody sets off",
    (_name, over, why) => {
      const facts = { ...able, ...over, ranSandboxed: true };
      const decided = decideSandbox("auto", facts);
      expect(decided).toEqual({
        kind: "hold",
        why: expect.stringMatching(/ran in the sandbox before/),
        hint: expect.stringMatching(/harnesses\.A\.sandbox: off/),
      });
      expect(
        decided.kind === "hold" && decided.why.replace(/, and this work item ran .*$/, ""),
      ).toMatch(why);
      expect(decideSandbox("off", facts)).toMatchObject({ kind: "off" });
    },
  );

  test("of several obstacles the one is named that has to go first", () => {
    expect(
      decideSandbox("auto", {
        ...able,
        isRoot: true,
        missing: ["socat"],
        gitDirectory: "shared",
      }),
    ).toMatchObject({ why: expect.stringContaining("root") });
  });
});
