import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunningChild, Trouble } from "@loopwork/core/ports";
import type { AdapterStage, Script } from "@loopwork/core/testing";
import { createHarnessB, type HarnessBOptions } from "@loopwork/harness-b";
import { processes, signalGroup, staged } from "../processes.ts";
import { scriptOf } from "./script.ts";

/** A place for one row of harness B, in front of its fixture; `close` removes it. */
export type StageOfB = AdapterStage & { close(): void };

export function openStageOfB(command: string, over: Partial<HarnessBOptions> = {}): StageOfB {
  const dir = realpathSync(mkdtempSync(path.join(tmpdir(), "loop-cursor-")));
  const folder = (name: string): string => {
    mkdirSync(path.join(dir, name));
    return path.join(dir, name);
  };
  const [workdir, elsewhere, turnDir, logs, data] = [
    folder("checkout"),
    folder("elsewhere"),
    folder("turn"),
    folder("logs"),
    folder("data"),
  ];
  const env = {
    PATH: `${path.dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    HOME: dir,
    CURSOR_DATA_DIR: data,
    LOOP_INSTANCE: "contract",
    LOOP_WORK_ITEM: "host:octo/demo#1",
  };
  const { turns, trust, hooks, createChat } = createHarnessB({
    command,
    args: [],
    env: {},
    passEnv: [],
    permissions: "guarded",
    trust: true,
    environment: env,
    processes,
    probeDir: logs,
    ...over,
  });
  const children = new Set<RunningChild>();
  return {
    ...{ turns, trust, hooks, env },
    newConversation: createChat,
    async start(plan, cwd) {
      const files = {
        stdoutFile: path.join(logs, `${randomUUID()}.out`),
        stderrFile: path.join(logs, `${randomUUID()}.err`),
      };
      const child = await processes.spawn({
        argv: plan.argv,
        cwd,
        env: plan.env,
        ...files,
        deadlineMs: 60_000,
        maxOutputBytes: 1 << 22,
      });
      children.add(child);
      void child.ended.then(() => children.delete(child));
      return staged(child, files.stderrFile);
    },
    script: (deeds) => scriptOf(deeds, troubles),
    place: { workdir, elsewhere, turnDir, read: (name) => readOrNull(path.join(workdir, name)) },
    program: programOf(path.join(data, "fixture-chats")),
    uuid: randomUUID,
    sleep: (ms) => sleep(ms),
    close() {
      for (const child of children) signalGroup(child.identity.pid, "SIGKILL");
      rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

function programOf(chats: string): AdapterStage["program"] {
  return {
    messages: (id) =>
      (readOrNull(path.join(chats, id)) ?? "")
        .split("\n")
        .filter(Boolean)
        .map((line): string => JSON.parse(line).prompt),
    forget: (id) => rmSync(path.join(chats, id)),
    // As its documents have it; the fixture runs no hooks.
    hookInput: async () => ({
      stdin: JSON.stringify({
        hook_event_name: "preToolUse",
        cursor_version: "2026.10.01",
        conversation_id: randomUUID(),
        tool_name: "Shell",
        tool_use_id: "t",
        tool_input: { command: "echo hi" },
      }),
      env: {},
    }),
    trustFile: null,
  };
}

/**
 * Words on standard error, in front of exit code 1. What no document tells is an error of which the
 * adapter knows nothing.
 */
const troubles: Readonly<Record<Trouble, Partial<Script>>> = {
  overloaded: { prompt: "{{stub:error 529 x Overloaded}}" },
  "server-error": { prompt: "{{stub:error 500 x Internal error}}" },
  "rate-limited": { prompt: "{{stub:error 429 x Too Many Requests}}" },
  unreachable: { prompt: "{{stub:error 0 x connect ECONNREFUSED 127.0.0.1:443}}" },
  "usage-limit": { prompt: "{{stub:error 429 x You have reached your usage limit}}" },
  "logged-out": { env: { FIXTURE_CURSOR_LOGGED_OUT: "1" } },
  "key-refused": { prompt: "{{stub:error 401 x Invalid API key}}" },
  forbidden: { prompt: "{{stub:error 403 x Forbidden}}" },
  "no-credit": { prompt: "{{stub:error 402 x Your balance is empty}}" },
  "prompt-too-long": { prompt: "{{stub:error 400 x The prompt is too long}}" },
  "refused-request": { prompt: "{{stub:error 400 x Bad request}}" },
};

function readOrNull(file: string): string | null {
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}
