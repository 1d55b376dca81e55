import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import path from "node:path";
import {
  isBrokerLost,
  knownEnd,
  promptText,
  type RunningChild,
  type RunProcess,
  type TurnPlan,
  type TurnRequest,
} from "@loopwork/core/ports";
import { planTurn } from "./command.ts";
import { parseObject } from "./fields.ts";
import { defaults, type HarnessAOptions } from "./options.ts";
import { outsideOfRepositories } from "./outside.ts";
import { outcome } from "./outcome.ts";
import { readLine } from "./signal.ts";
import { findTranscripts, traceReceipt } from "./transcript.ts";

export type ProofOptions = Pick<
  HarnessAOptions,
  "command" | "pluginDir" | "environment" | "processes" | "probeDir"
>;

/**
 * Proves for the installed version what every judgement after a crash rests on. A turn is killed
 * the moment it asks the model: our message must be on disk under its receipt. Then the same
 * receipt is sent again: it must run, and its end of turn must name it. It happens in a
 * configuration of its own, against a stand-in of the model's interface on loopback: no login, no
 * network, a few seconds. `plan` is there for the test that shows that the proof can fail. Rejects
 * with `LOOP_E_BROKER` where nobody saw how a turn ended: that proves nothing of the version.
 */
export async function proveReceipts(
  options: ProofOptions,
  plan: typeof planTurn = planTurn,
): Promise<boolean> {
  const dir = path.join(options.probeDir, randomUUID());
  const ids = { sessionId: randomUUID(), receipt: randomUUID() };
  const model = await standIn();
  try {
    for (const folder of ["config", "tmp", "turn"])
      await mkdir(path.join(dir, folder), { recursive: true });
    return await outsideOfRepositories(options.environment["TMPDIR"], (workdir) =>
      proveIn({ dir, workdir }, ids, model, options, plan),
    );
  } catch (error) {
    if (isBrokerLost(error)) throw error;
    return false;
  } finally {
    model.close();
    await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

type Place = { readonly dir: string; readonly workdir: string };

async function proveIn(
  place: Place,
  ids: Pick<TurnRequest, "sessionId" | "receipt">,
  model: Awaited<ReturnType<typeof standIn>>,
  options: ProofOptions,
  plan: typeof planTurn,
): Promise<boolean> {
  const { dir, workdir } = place;
  const turn = (mode: TurnRequest["mode"]): TurnPlan =>
    plan(
      {
        mode,
        ...ids,
        prompt: promptText("Say ok."),
        workdir,
        turnDir: path.join(dir, "turn"),
        env: environment(dir, model.url, options),
      },
      { ...defaults, command: options.command, pluginDir: options.pluginDir },
    );
  const first = await start(turn("start"), place, options.processes);
  model.onAsked = () => kill(first.identity.pid);
  knownEnd(await first.ended);
  const trace = await traceReceipt(
    await findTranscripts(path.join(dir, "config"), ids.sessionId),
    ids.receipt,
  );
  model.onAsked = null;
  return (
    model.asked &&
    trace.asked &&
    !trace.replied &&
    (await isDone(await start(turn("resume"), place, options.processes), ids.receipt))
  );
}

function environment(dir: string, url: string, options: ProofOptions): Record<string, string> {
  return {
    PATH: options.environment["PATH"] ?? "",
    HOME: dir,
    TMPDIR: path.join(dir, "tmp"),
    CLAUDE_CONFIG_DIR: path.join(dir, "config"),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-proof",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}

async function start(
  turn: TurnPlan,
  { dir, workdir }: Place,
  processes: RunProcess,
): Promise<RunningChild> {
  const files = {
    stdoutFile: path.join(dir, `${randomUUID()}.out`),
    stderrFile: path.join(dir, `${randomUUID()}.err`),
  };
  const child = await processes.spawn({
    argv: turn.argv,
    cwd: workdir,
    env: turn.env,
    ...files,
    deadlineMs: 20_000,
    maxOutputBytes: 4 * 1024 * 1024,
  });
  await child.write(turn.stdin);
  return child;
}

/** Whether the turn was taken and done under its receipt. */
async function isDone(child: RunningChild, receipt: string): Promise<boolean> {
  const stdout: string[] = [];
  let accepted = false;
  for await (const line of child.lines()) {
    stdout.push(line);
    const signal = readLine(line);
    accepted ||= signal?.kind === "accepted" && signal.receipt === receipt;
    if (signal?.kind === "result" && signal.receipts.includes(receipt)) child.endInput();
  }
  const end = knownEnd(await child.ended);
  return accepted && outcome({ receipt, end, stdout, stderr: "" }).kind === "done";
}

/**
 * At once and with everything it started, so that nothing more is written; a TERM would let it
 * flush.
 */
function kill(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It ended by itself: then its reply is on record, and the proof fails.
  }
}

type StandIn = {
  readonly url: string;
  asked: boolean;
  onAsked: (() => void) | null;
  close(): void;
};

/** A model's interface that notices when it is asked, and says ok to everything. */
async function standIn(): Promise<StandIn> {
  const server = createServer((request, response) => {
    if (request.method === "POST" && request.url?.startsWith("/v1/messages") === true) {
      model.asked = true;
      model.onAsked?.();
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () =>
      answer(response, parseObject(Buffer.concat(chunks).toString("utf8"))?.["stream"] === true),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const model: StandIn = {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    asked: false,
    onAsked: null,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return model;
}

function answer(response: ServerResponse, streams: boolean): void {
  const message = {
    id: "msg_proof",
    type: "message",
    role: "assistant",
    model: "proof",
    stop_sequence: null,
  };
  const usage = { input_tokens: 1, output_tokens: 1 };
  if (!streams) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        ...message,
        content: [{ type: "text", text: "ok" }],
        stop_reason: "end_turn",
        usage,
      }),
    );
    return;
  }
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, usage } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "ok" } },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: "message_stop" },
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
  );
}
