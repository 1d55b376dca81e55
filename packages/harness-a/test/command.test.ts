import { promptText } from "@loopwork/core/ports";
import { describe, expect, test } from "vitest";
import { checkArgs, planTurn } from "../src/command.ts";
import { options, receipt, request, sessionId } from "./support.ts";

describe("planTurn", () => {
  test("starts a session under our id and shuts the checkout's own settings and servers out", () => {
    const { argv } = planTurn(request(), options);
    expect(argv.slice(0, 14)).toEqual([
      "claude",
      "-p",
      "--input-format",
      "stream-json",
      "--output-format",
      "stream-json",
      "--verbose",
      "--replay-user-messages",
      "--session-id",
      sessionId,
      "--setting-sources",
      "user",
      "--strict-mcp-config",
      "--permission-prompts",
    ]);
    expect(argv.at(-1)).toBe("/opt/loop/plugin");
    expect(argv.at(-2)).toBe("--plugin-dir");
  });

  test("resumes by the same id", () => {
    expect(planTurn(request({ mode: "resume" }), options).argv).toContain("--resume");
    expect(planTurn(request({ mode: "resume" }), options).argv).not.toContain("--session-id");
  });

  test("P16: the prompt goes over standard input as one line whose uuid is the receipt, never as an argument", () => {
    const prompt = promptText("-rf\n\u001b[31m $(boom) \0");
    const plan = planTurn(request({ prompt }), options);
    expect(plan.argv.some((arg) => arg.includes("boom"))).toBe(false);
    expect(plan.stdin.indexOf("\n")).toBe(plan.stdin.length - 1);
    expect(JSON.parse(plan.stdin)).toEqual({
      type: "user",
      message: { role: "user", content: prompt },
      parent_tool_use_id: null,
      uuid: receipt,
    });
    expect(plan.closeInput).toBe("after-result");
  });

  test("guarded: edits are accepted, listed commands run, and nobody is asked", () => {
    const { argv } = planTurn(request(), {
      ...options,
      allowedTools: ["cargo test", "WebFetch", "mcp__files__read", "Bash(make:*)", " "],
    });
    expect(argv).toEqual(
      expect.arrayContaining([
        "--permission-mode",
        "acceptEdits",
        "--allowedTools",
        "Bash(git)",
        "Bash(git *)",
        "Bash(gh *)",
        "Bash(loop comment *)",
        "Bash(loop sessions link-pr *)",
        "Bash(cargo test)",
        "Bash(cargo test *)",
        "WebFetch",
        "mcp__files__read",
        "Bash(make:*)",
      ]),
    );
    expect(argv).not.toContain("--dangerously-skip-permissions");
    expect(argv.filter((arg) => arg.startsWith("Bash(loop"))).not.toContain("Bash(loop *)");
  });

  test("folders beside the checkout are named one by one, so that no other word is taken for one", () => {
    const { argv } = planTurn(request({ alsoIn: ["/state/artifacts/a", "/state/b"] }), options);
    const at = argv.indexOf("--add-dir");
    expect(argv.slice(at, at + 5)).toEqual([
      "--add-dir",
      "/state/artifacts/a",
      "--add-dir",
      "/state/b",
      "--plugin-dir",
    ]);
    expect(planTurn(request(), options).argv).not.toContain("--add-dir");
  });

  test("bypass adds the harness's own flag and no list", () => {
    const { argv } = planTurn(request(), { ...options, permissions: "bypass" });
    expect(argv).toContain("--dangerously-skip-permissions");
    expect(argv).not.toContain("--allowedTools");
  });

  test("projectSettings lets the checkout's settings and servers in", () => {
    const { argv } = planTurn(request(), { ...options, projectSettings: true });
    expect(argv).not.toContain("--setting-sources");
    expect(argv).not.toContain("--strict-mcp-config");
  });

  test("the child's environment: eager flush, few retries, our ledger, no parent harness, the operator's own variables", () => {
    const env = {
      PATH: "/bin",
      CLAUDECODE: "1",
      CLAUDE_CODE_SESSION_ID: "x",
      CLAUDE_PID: "4",
      CLAUDE_CODE_MESSAGING_TOKEN: "t",
      AI_AGENT: "a",
      CLAUDE_CONFIG_DIR: "/c",
      CLAUDE_CODE_OAUTH_TOKEN: "o",
      CLAUDE_CODE_USE_BEDROCK: "1",
      ANTHROPIC_API_KEY: "k",
      LOOP_WORK_ITEM: "host:o/r#1",
      CLAUDE_EFFORT: "high",
    };
    const plan = planTurn(request({ env }), {
      ...options,
      env: { EXTRA: "1" },
      passEnv: ["CLAUDE_EFFORT"],
    });
    expect(plan.env).toEqual({
      PATH: "/bin",
      CLAUDE_CONFIG_DIR: "/c",
      CLAUDE_CODE_OAUTH_TOKEN: "o",
      CLAUDE_CODE_USE_BEDROCK: "1",
      ANTHROPIC_API_KEY: "k",
      LOOP_WORK_ITEM: "host:o/r#1",
      CLAUDE_EFFORT: "high",
      EXTRA: "1",
      CLAUDE_CODE_DISABLE_FILE_MENTIONS: "1",
      CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1",
      CLAUDE_CODE_DISABLE_ULTRATHINK: "1",
      CLAUDE_CODE_EAGER_FLUSH: "1",
      CLAUDE_CODE_MAX_RETRIES: "2",
      DISABLE_AUTOUPDATER: "1",
      LOOP_TURN_DIR: "/state/turns/1",
      LOOP_RECEIPT: receipt,
    });
  });

  test("the operator's variables come on top, but never over the turn's PATH and identity", () => {
    const extra = { PATH: "/opt/bin", LOOP_INSTANCE: "forged", CLAUDE_EFFORT: "high" };
    const plan = planTurn(
      request({
        env: { CLAUDE_EFFORT: "low", PATH: "/state/bin:/opt/bin", LOOP_INSTANCE: "default" },
      }),
      { ...options, env: extra },
    );
    expect(plan.env).toMatchObject({
      PATH: "/state/bin:/opt/bin",
      LOOP_INSTANCE: "default",
      CLAUDE_EFFORT: "high",
    });
  });

  test("refuses a session id that the harness would refuse only after the spawn", () => {
    expect(() => planTurn(request({ sessionId: "../../etc" }), options)).toThrow(
      expect.objectContaining({ code: "LOOP_E_HARNESS_SESSION_ID" }),
    );
  });
});

describe("checkArgs", () => {
  test.each([
    "--resume",
    "--session-id=x",
    "-p",
    "--output-format",
    "--worktree",
    "-w",
    "--fork-session",
    "--setting-sources",
    "--bg",
    "--",
  ])("refuses %s, which would break the contract of a turn", (arg) => {
    expect(() => checkArgs(["--model", "opus", arg])).toThrow(
      expect.objectContaining({ code: "LOOP_E_HARNESS_ARGS" }),
    );
  });

  test("lets the operator's other arguments through", () => {
    expect(() =>
      checkArgs(["--model", "opus", "--effort=high", "--dangerously-skip-permissions"]),
    ).not.toThrow();
  });
});

describe("the sandbox", () => {
  const sandbox = { settingsFile: "/state/turns/1/r.settings.json", tmpDir: "/tmp/loop-1000/abc" };

  test("its settings come last, after the operator's own arguments, because the last ones count", () => {
    const { argv } = planTurn(request({ sandbox }), { ...options, args: ["--model", "small"] });
    expect(argv.slice(-4)).toEqual(["--model", "small", "--settings", sandbox.settingsFile]);
    expect(planTurn(request(), options).argv).not.toContain("--settings");
  });

  test("its temporary folder beats one that the operator set", () => {
    expect(
      planTurn(request({ sandbox }), { ...options, env: { TMPDIR: "/var/tmp/long" } }).env,
    ).toMatchObject({ TMPDIR: sandbox.tmpDir, NODE_USE_ENV_PROXY: "1" });
    expect(planTurn(request(), options).env).not.toHaveProperty("NODE_USE_ENV_PROXY");
  });

  test.each(["--settings", "--settings={}"])(
    "%s of the operator's own is refused: it would take the sandbox away",
    (arg) => {
      expect(() => checkArgs([arg])).toThrow(
        expect.objectContaining({ code: "LOOP_E_HARNESS_ARGS" }),
      );
    },
  );
});
