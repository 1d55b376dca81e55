import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const script = fileURLToPath(
  new URL("../../../../plugins/loop/hooks/loop-hook.sh", import.meta.url),
);

type Ran = {
  readonly status: number | null;
  readonly stdout: string;
  readonly calls: readonly string[];
};

/**
 * Runs the plugin's script with a `loop` that notes how it was called, and ends with `code`;
 * without one where that is null.
 */
function run(
  event: string,
  input: string,
  {
    env = {},
    code = 0,
  }: { readonly env?: Readonly<Record<string, string>>; readonly code?: number | null } = {},
): Ran {
  const dir = mkdtempSync(join(tmpdir(), "loop-script-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const [bin, calls] = [join(dir, "bin"), join(dir, "calls")];
  mkdirSync(bin);
  if (code !== null)
    writeFileSync(
      join(bin, "loop"),
      `#!/bin/sh\nprintf '%s %s\\n' "$*" "$(cat)" >> ${calls}\necho said\nexit ${code}\n`,
    );
  if (code !== null) chmodSync(join(bin, "loop"), 0o755);
  const { status, stdout } = spawnSync("/bin/sh", [script, event], {
    input,
    encoding: "utf8",
    env: { PATH: `${bin}:/usr/bin:/bin`, ...env },
  });
  return {
    status,
    stdout,
    calls: existsSync(calls) ? readFileSync(calls, "utf8").split("\n").filter(Boolean) : [],
  };
}

const turn = { LOOP_TURN_DIR: "/turn" };
const terminal = { LOOP_TERMINAL: "/terminal" };

test.each<[string, string, Readonly<Record<string, string>>]>([
  ["pre-tool", "{}", turn],
  ["pre-tool", "{}", terminal],
  ["post-tool", '{"stdout":"https://code.example/o/r/pull/9"}', {}],
  ["post-tool", '{"stdout":"https://code.example/o/r/issues/7#issuecomment-1"}', {}],
  ["session-start", "{}", {}],
  ["stop", "{}", {}],
  ["permission", "{}", terminal],
])("%s with %s reaches loop, and what it answers the harness", (event, input, env) => {
  expect(run(event, input, { env })).toEqual({
    status: 0,
    stdout: "said\n",
    calls: [`hook ${event} ${input}`],
  });
});

test.each<[string, string, Readonly<Record<string, string>>]>([
  ["pre-tool", "{}", {}],
  ["post-tool", '{"stdout":"42 passed"}', turn],
  ["stop-failure", "{}", turn],
  ["session-end", "{}", turn],
  ["permission", "{}", turn],
])("%s with %s can mean nothing to loop and starts no program", (event, input, env) => {
  expect(run(event, input, { env })).toEqual({ status: 0, stdout: "", calls: [] });
});

test.each(["pre-tool", "post-tool", "session-start", "stop", "permission"])(
  "%s never fails a session: not where loop refuses, nor where it is missing",
  (event) => {
    const input = '{"stdout":"https://code.example/o/r/pull/9"}';
    for (const code of [1, 2, 127, null])
      expect(run(event, input, { env: { ...turn, ...terminal }, code }).status).toBe(0);
  },
);

test.each(["./bin:", "bin:", ":"])(
  "neither a `loop` nor a `node` of the repository runs where PATH begins with %j",
  (relative) => {
    const dir = mkdtempSync(join(tmpdir(), "loop-script-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const program = (file: string, text: string): void =>
      writeFileSync(file, text, { mode: 0o755 });
    const plant = (folder: string): void =>
      ["loop", "node", "cat"].forEach((name) =>
        program(join(dir, folder, name), `#!/bin/sh\n: > '${dir}/ran'\n`),
      );
    for (const folder of ["repository", "repository/bin", "own"]) mkdirSync(join(dir, folder));
    for (const folder of ["repository", "repository/bin"]) plant(folder);
    program(join(dir, "own/loop"), "#!/usr/bin/env node\n");
    program(join(dir, "own/node"), "#!/bin/sh\necho ours\n");
    const ran = spawnSync("/bin/sh", [script, "stop"], {
      cwd: join(dir, "repository"),
      input: "{}",
      encoding: "utf8",
      env: { PATH: `${relative}${dir}/own:/usr/bin:/bin` },
    });
    expect({ status: ran.status, stdout: ran.stdout, ran: existsSync(join(dir, "ran")) }).toEqual({
      status: 0,
      stdout: "ours\n",
      ran: false,
    });
  },
);

test("what a tool printed reaches loop as it was, percent signs, backslashes and all", () => {
  const input = '{"stdout":"100 %s \\\\n $HOME `x` /pull/9"}';
  expect(run("post-tool", input).calls).toEqual([`hook post-tool ${input}`]);
});
