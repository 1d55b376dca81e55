import { expect, test } from "vitest";
import { pasteable } from "../../src/terminal/tmux.ts";
import { paneOf, plans } from "../../src/terminal/tmux-plan.ts";

const plan = {
  name: "loop-x",
  title: "octo/demo#1",
  argv: ["claude"] as const,
  cwd: "/work",
  env: { SECRET: "s" },
};

test("every plan names exactly one session: a bare name would also find those that begin so", () => {
  const made = [
    plans.look("loop-x"),
    plans.screen("loop-x"),
    plans.paste("loop-x", "b"),
    plans.press("loop-x", "Enter"),
    plans.kill("loop-x"),
    plans.attach("loop-x", true),
    plans.respawn(plan, "/s/launch"),
    plans.create(plan, "/s/launch", "/s"),
  ];
  for (const args of made) expect(args[args.indexOf("-t") + 1]).toMatch(/^=loop-x:?$/);
});

test("neither message nor environment stands on a command line", () => {
  expect(
    JSON.stringify([
      plans.create(plan, "/s/launch", "/s"),
      plans.respawn(plan, "/s/launch"),
      plans.load("b"),
      plans.paste("loop-x", "b"),
    ]),
  ).not.toContain("SECRET");
});

test("read-only is asked for by the flag", () => {
  expect(
    [plans.attach("loop-x", true), plans.attach("loop-x", false)].map((args) =>
      args.includes("-r"),
    ),
  ).toEqual([true, false]);
});

test.each([
  ["0\t\t42\t/state", { alive: true, exitCode: null, pid: 42, owner: "/state" }],
  ["1\t3\t42\t/state", { alive: false, exitCode: 3, pid: 42, owner: "/state" }],
  ["1\t\t42\t", { alive: false, exitCode: null, pid: 42, owner: "" }],
  ["", null],
])("a pane is read from %j", (line, pane) => {
  expect(paneOf(line)).toEqual(pane);
});

test.each([
  [
    "P16: an escape sequence could end the paste from inside",
    "a\u001b[201~\rrm -rf x\r",
    "a[201~rm -rf x",
  ],
  ["keys are not text", "\u0003\u0004\u0015\u007fx\u009b1m", "x1m"],
  ["line ends and tabs are", "a\r\nb\n\tc", "a\nb\n\tc"],
  ["so is every script", "日本 \u{1f33f}", "日本 \u{1f33f}"],
])("%s", (_what, text, pasted) => {
  expect(pasteable(text)).toBe(pasted);
});
