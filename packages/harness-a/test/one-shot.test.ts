import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type OneShotRequest, promptText } from "@loopwork/core/ports";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createOneShots } from "../src/one-shot.ts";
import { defaults } from "../src/options.ts";
import { sessionId } from "./support.ts";

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(path.join(tmpdir(), "harness-a-one-shot-")));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const at = (name: string): string => path.join(dir, name);

function oneShots(args: readonly string[] = []) {
  const environment = { HOME: at("home"), CLAUDE_CONFIG_DIR: at("config"), NETRC: at("netrc") };
  const { command, env, passEnv } = defaults;
  return createOneShots({ command, env, passEnv, args, environment, home: at("home") });
}

const request = (changes: Partial<OneShotRequest> = {}): OneShotRequest => ({
  sessionId,
  prompt: promptText("Judge."),
  workdir: "/w",
  schema: {},
  env: { PATH: "/bin", CLAUDE_CODE_DISABLE_FILE_MENTIONS: "0" },
  ...changes,
});

test("hides the home, the harness's logins, logins that variables name, and what the service hides; not what is asked about", async () => {
  for (const name of ["home/work/checkout", "home/work/other", "state/specs", "config"])
    mkdirSync(at(name), { recursive: true });
  writeFileSync(at("netrc"), "x");
  writeFileSync(at("state/loop.env"), "x");
  const text = await oneShots().settings?.({
    workdir: at("home/work/checkout"),
    alsoIn: [at("state/specs")],
    hide: [at("state"), at("home/work")],
    env: { XDG_CONFIG_HOME: at("config") },
  });
  const rules: { readonly permissions: { readonly deny: readonly string[] } } = JSON.parse(
    text ?? "",
  );
  const hidden = ["config", "netrc", "state/loop.env", "home/work/other"];
  expect(rules.permissions.deny.toSorted()).toEqual(
    hidden.flatMap((name) => [`Read(/${at(name)})`, `Read(/${at(name)}/**)`]).toSorted(),
  );
});

test("hides what is the service's own in the folder that is asked about", async () => {
  mkdirSync(at("home/work/checkout/.loop"), { recursive: true });
  writeFileSync(at("home/work/checkout/.loop/loop.env"), "x");
  const text = await oneShots().settings?.({
    workdir: at("home/work/checkout"),
    alsoIn: [],
    hide: [at("home/work/checkout/.loop/loop.env")],
    env: {},
  });
  expect(text).toContain(`"Read(/${at("home/work/checkout/.loop/loop.env")})"`);
  expect(text).not.toContain(`"Read(/${at("home/work/checkout")})"`);
});

test("the settings stand last, behind the operator's choice of a model", () => {
  const { argv } = oneShots(["--model", "m"]).plan(request({ settingsFile: "/s.json" }));
  expect(argv.slice(-4)).toEqual(["--model", "m", "--settings", "/s.json"]);
  expect(oneShots().plan(request()).argv).not.toContain("--settings");
});

test("no variable of a caller's lets a prompt be read otherwise than it is written", () => {
  expect(oneShots().plan(request()).env).toMatchObject({
    CLAUDE_CODE_DISABLE_FILE_MENTIONS: "1",
    CLAUDE_CODE_DISABLE_ULTRATHINK: "1",
    CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1",
  });
});
