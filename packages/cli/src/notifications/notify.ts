import { type Notice, noticeOf } from "@loopwork/core";
import type { RuntimeParts } from "@loopwork/runtime";
import { ChildEnvironment } from "@loopwork/runtime/child-environment";
import { startProgram } from "../processes/child-process.ts";

const lookEveryMs = 1_000;
const atOnce = 200;
const tries = 3;
const answeredWithinMs = 10_000;
const [place, resource] = ["notify", "told"];

type Target = ReturnType<RuntimeParts["settings"]>["config"]["notify"][number];

/**
 * Tells those who are to be told (`notify[]`) of each change in the event log, once: how far it is
 * stands in the store, and only who dispatches tells. A crash between telling and writing that down
 * tells one change again. What nobody takes in three tries is said in the daemon's log, and the
 * next one follows. The result stops it.
 */
export function keepNotifying(parts: RuntimeParts, isDispatching: () => boolean): () => void {
  let reached: number | null = null;
  let under: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    reached ??= await begin(parts);
    reached = await tellNew(reached, parts);
  };
  return parts.timers.every(lookEveryMs, () => {
    if (isDispatching())
      under ??= look()
        .catch((error: unknown) => parts.log("warn", `changes could not be told: ${said(error)}`))
        .finally(() => (under = null));
  });
}

/**
 * Where the last life was; at the newest line the first time, because what happened before is no
 * change.
 */
async function begin({ store: { cursors, events } }: RuntimeParts): Promise<number> {
  const record = await cursors.get(place, resource);
  if (record !== null) return Number(record);
  const newest = (await events.list({ limit: 1, newestFirst: true }))[0]?.id ?? 0;
  await cursors.put(place, { [resource]: String(newest) });
  return newest;
}

async function tellNew(after: number, parts: RuntimeParts): Promise<number> {
  const { config, policy } = parts.settings();
  let reached = after;
  for (const event of await parts.store.events.list({ afterId: after, limit: atOnce })) {
    reached = event.id;
    const notice = noticeOf(event, policy);
    if (notice === null) continue;
    for (const target of config.notify)
      if (target.on.some((on) => on === notice.change)) await tell(notice, target, parts);
    await parts.store.cursors.put(place, { [resource]: String(reached) });
  }
  return reached;
}

async function tell(notice: Notice, target: Target, parts: RuntimeParts): Promise<void> {
  const text = JSON.stringify(notice);
  const whom = target.url === null ? (target.command[0] ?? "") : new URL(target.url).host; // An address may hold a key in its path.
  for (let time = 1; time <= tries; time++) {
    try {
      return target.url === null ? await run(target, text, parts) : await post(target.url, text);
    } catch (error) {
      if (time === tries)
        parts.log(
          "warn",
          `${whom} could not be told that ${notice.workItem ?? "something"} is ${notice.change}: ${said(error)}`,
        );
      else await new Promise<void>((resolve) => parts.timers.after(1_000, resolve));
    }
  }
}

async function post(url: string, body: string): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    redirect: "error",
    signal: AbortSignal.timeout(answeredWithinMs),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
}

/** Without our secrets; what it prints goes nowhere. */
function run(
  { command: [program = "", ...args], passEnv }: Target,
  input: string,
  parts: RuntimeParts,
): Promise<void> {
  const env = ChildEnvironment.notification(parts.settings(), passEnv);
  return new Promise((resolve, reject) => {
    const child = startProgram(program, args, {
      env,
      stdio: ["pipe", "ignore", "ignore"],
      timeout: answeredWithinMs,
    });
    child.once("error", reject);
    child.once("exit", (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`it ended with ${code ?? signal}`)),
    );
    child.stdin?.on("error", () => {}); // It need not read.
    child.stdin?.end(`${input}\n`);
  });
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
