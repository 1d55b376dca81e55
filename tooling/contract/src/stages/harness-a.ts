import { randomUUID } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type AdapterRow,
  type AdapterStage,
  limitResetsAt,
  type Script,
} from "@loopwork/core/testing";
import type { Trouble } from "@loopwork/core/ports";
import { defaults } from "@loopwork/harness-a";
import { type Row, row } from "../row.ts";
import type { Scene } from "../scene.ts";
import { textOf } from "../seen.ts";
import { pluginWith } from "./plugin-with.ts";
import { scriptOf } from "./script.ts";

/** A row of the adapter contract as a row of harness A. */
export function onHarnessA(of: AdapterRow): Row {
  return row(of.id, of.title, async (scene) => of.run(await stageOf(scene)));
}

/** A login of a subscription instead of a key: only it is told until when a limit lasts. */
export const subscription: { readonly env: Readonly<Record<string, string>> } = {
  env: { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-dummy" },
};

async function stageOf(scene: Scene): Promise<AdapterStage> {
  const unreachable = await closedPort();
  const elsewhere = path.join(scene.dir, "elsewhere");
  mkdirSync(elsewhere);
  return {
    ...scene.adapter({ allowedTools: [...defaults.allowedTools, "env"] }),
    newConversation: async () => ({ kind: "made", id: randomUUID() }),
    start: scene.start,
    script: (deeds) => scriptOf(deeds, troubles(unreachable)),
    env: scene.environment(),
    place: {
      workdir: scene.workdir,
      elsewhere,
      turnDir: scene.turnDir,
      read: (name) => readOrNull(path.join(scene.workdir, name)),
    },
    program: programOf(scene),
    uuid: randomUUID,
    sleep: (ms) => sleep(ms),
  };
}

function programOf(scene: Scene): AdapterStage["program"] {
  const trustFile = path.join(scene.configDir, ".claude.json");
  return {
    messages: (id) =>
      scene
        .transcript(id)
        .flatMap((line) =>
          line["type"] === "user" && line["isMeta"] !== true ? wordsOf(line["message"]) : [],
        ),
    forget: (id) =>
      globSync(path.join(scene.configDir, "projects/*", `${id}.jsonl`)).forEach((file) =>
        rmSync(file),
      ),
    async hookInput() {
      const plugin = pluginWith(scene, "PreToolUse", `cat > ${scene.dir}/hook.json`);
      await scene.turn("{{stub:bash echo hi}}", { options: { args: ["--plugin-dir", plugin] } });
      return { stdin: textOf(`${scene.dir}/hook.json`), env: {} };
    },
    trustFile: {
      read: () => readFileSync(trustFile, "utf8"),
      write: (text) => void scene.write(trustFile, text),
    },
  };
}

/**
 * Errors of the model's interface, as directives script them; a login is a matter of the
 * environment.
 */
function troubles(unreachable: string): Readonly<Record<Trouble, Partial<Script>>> {
  return {
    overloaded: { prompt: "{{stub:error 529 overloaded_error}}" },
    "server-error": { prompt: "{{stub:error 500 api_error}}" },
    "rate-limited": { prompt: "{{stub:error 429 rate_limit_error}}" },
    unreachable: { env: { ANTHROPIC_BASE_URL: unreachable } },
    "usage-limit": {
      prompt: `{{stub:limit five_hour ${limitResetsAt / 1000}}}`,
      env: subscription.env,
    },
    "logged-out": { env: { ANTHROPIC_API_KEY: "" } },
    "key-refused": { prompt: "{{stub:error 401 authentication_error}}" },
    forbidden: { prompt: "{{stub:error 403 permission_error}}" },
    "no-credit": {
      prompt:
        "{{stub:error 400 invalid_request_error Your credit balance is too low to access the API}}",
    },
    "prompt-too-long": {
      prompt:
        "{{stub:error 400 invalid_request_error prompt is too long: 250000 tokens > 200000 maximum}}",
    },
    "refused-request": { prompt: "{{stub:error 400 invalid_request_error messages.0: bad}}" },
  };
}

/** Words of a person in a message on record; results of tools are not. */
function wordsOf(message: unknown): readonly string[] {
  return typeof message === "object" &&
    message !== null &&
    "content" in message &&
    typeof message.content === "string"
    ? [message.content]
    : [];
}

function readOrNull(file: string): string | null {
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 1}`;
}
