import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { launchScript } from "../../src/terminal/launch-script.ts";

const printer = "process.stdout.write(JSON.stringify([process.env, process.argv.slice(1)]))";

function launched(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): {
  readonly env: Record<string, string>;
  readonly args: readonly string[];
  readonly file: string;
} {
  const dir = mkdtempSync(join(tmpdir(), "loop-launch-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, "launch");
  writeFileSync(file, launchScript([process.execPath, "-e", printer, "--", ...argv], env, dir), {
    mode: 0o600,
  });
  const [seen, args]: [Record<string, string>, string[]] = JSON.parse(
    execFileSync("/bin/sh", [file], {
      encoding: "utf8",
      env: { HOME: "/of-the-server", TERM: "tmux", TMUX: "/socket,1,0" },
    }),
  );
  return { env: seen, args, file };
}

describe("the script that becomes the program", () => {
  test("hands over every value and argument as it is, and is gone", () => {
    const odd = "a 'quote' \"and\" $HOME `ls` \\ \n line\ttab 日本";
    const { env, args, file } = launched([odd, "-x", ""], { ODD: odd, EMPTY: "" });
    expect([env["ODD"], env["EMPTY"], args]).toEqual([odd, "", [odd, "-x", ""]]);
    expect(existsSync(file)).toBe(false);
  });

  test("keeps what the terminal says of itself, and nothing else of its server", () => {
    const { env } = launched([], { TERM: "of-the-service", TMUX: "of-the-service", KEPT: "1" });
    expect([env["TERM"], env["TMUX"], env["KEPT"], env["HOME"]]).toEqual([
      "tmux",
      "/socket,1,0",
      "1",
      undefined,
    ]);
  });

  test("leaves out what no shell can export, instead of failing", () => {
    const { env } = launched([], {
      "BASH_FUNC_x%%": "() { :; }",
      "with-dash": "1",
      "1st": "1",
      FINE: "1",
    });
    expect([Object.keys(env).filter((name) => /[%-]|^1/.test(name)), env["FINE"]]).toEqual([
      [],
      "1",
    ]);
  });

  test("begins in its folder, whatever that is called, and nowhere else when that is gone", () => {
    const dir = mkdtempSync(join(tmpdir(), "loop-launch-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const [folder, file] = [join(dir, "-a 'b' #{pid}"), join(dir, "launch")];
    mkdirSync(folder);
    const run = () => (
      writeFileSync(file, launchScript(["/bin/pwd"], {}, folder)),
      spawnSync("/bin/sh", [file], { cwd: "/", encoding: "utf8" })
    );
    expect(run()).toMatchObject({ status: 0, stdout: `${folder}\n` });
    rmSync(folder, { recursive: true });
    expect(run()).toMatchObject({ status: 1, stdout: "" });
  });
});
