import { evolve, type SandboxDecision } from "@loopwork/core";
import {
  type Attempt,
  type HarnessId,
  type Hold,
  LoopError,
  type Message,
  outside,
  type PostText,
  type RefText,
  type Sandbox,
  type SandboxFiles,
  type SandboxPlace,
  say,
  type Session,
  type TakenLane,
  trustedWords,
  type Turns,
  withMessage,
} from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts, RuntimeSettings } from "../parts.ts";
import { environmentOfTurn } from "./plan.ts";
import { refOf } from "./session.ts";

/** How a turn runs: in a sandbox, without one, or not at all until somebody has done something. */
export type SandboxOfTurn =
  | { readonly kind: "ready"; readonly files: SandboxFiles | null }
  | { readonly kind: "held"; readonly hold: Hold; readonly notice: Message };

type InCheckout = Session & { readonly workdir: string };

/**
 * Readies the sandbox of an attempt, asked anew before each. That there is none is written down
 * once for a work item.
 */
export async function sandboxOf(
  taken: TakenLane,
  session: InCheckout,
  attempt: Attempt,
  turnDir: string,
  turns: Turns,
  alsoIn: readonly string[],
  parts: RuntimeParts,
): Promise<SandboxOfTurn> {
  const sandbox = parts.harnesses[session.harness]?.sandbox ?? null;
  if (sandbox === null) return { kind: "ready", files: null };
  const settings = parts.settings();
  const ranSandboxed = taken.item.sessions.some((each) => each.sandboxed === true);
  const decision = await decisionFor(
    session.harness,
    {
      checkout: session.workdir,
      strategy: parts.workspace.strategyAt(session.workdir),
      ranSandboxed,
    },
    sandbox,
    settings,
  );
  if (decision.kind === "hold")
    return held(decision.why, trustedWords(decision.why), trustedWords(decision.hint));
  if (decision.kind === "off") {
    await noteOff(taken, decision.why, parts);
    return { kind: "ready", files: null };
  }
  try {
    const { sandboxExclude, passEnv } = settings.config.harnesses.A;
    const borrowed = await parts.workspace.borrowedBy(session.workdir);
    const env = environmentOfTurn(taken.turn, session, turnDir, turns, parts);
    const { hide, locked, read, write } = settings.sandbox;
    const files = await sandbox.open({
      receipt: attempt.receipt,
      turnDir,
      checkout: session.workdir,
      alsoIn,
      hide,
      locked,
      read: [...read, ...borrowed],
      write,
      domains: domainsOf(settings),
      exclude: sandboxExclude,
      env,
      passEnv,
    });
    await noteOn(taken, session, parts);
    return { kind: "ready", files };
  } catch (error) {
    if (!(error instanceof LoopError)) throw error;
    const why = error.message.replace(/\.$/, "");
    return held(why, say`${outside(why)}`, say`${outside(error.hint.replace(/\.$/, ""))}`);
  }
}

/** What the configuration asks for, and the machine allows. */
export function decisionFor(
  harness: HarnessId,
  place: Omit<SandboxPlace, "hide">,
  sandbox: Sandbox,
  { config, sandbox: { hide } }: Pick<RuntimeSettings, "config" | "sandbox">,
): Promise<SandboxDecision> {
  const mode = harness === "A" ? config.harnesses.A.sandbox : "off";
  return sandbox.decide(mode, { ...place, hide });
}

/**
 * The same for a work item that begins now: without a workspace root every session works in one
 * folder, which stands already.
 */
export function decisionForNew(
  harness: HarnessId,
  paths: { readonly workspaceRoot: string | null; readonly spawnWorkdir: string },
  sandbox: Sandbox,
  settings: Pick<RuntimeSettings, "config" | "sandbox">,
): Promise<SandboxDecision> {
  return decisionFor(
    harness,
    paths.workspaceRoot === null
      ? { checkout: paths.spawnWorkdir, strategy: null, ranSandboxed: false }
      : {
          checkout: null,
          strategy: settings.config.routing.workspace.strategy,
          ranSandboxed: false,
        },
    sandbox,
    settings,
  );
}

/** `why` is for the records; people read it in `shown`. */
function held(why: string, shown: Message, hint: Message): SandboxOfTurn {
  return {
    kind: "held",
    hold: { reason: "sandbox", until: null, detail: why },
    notice: say`This work item waits, because its agent can't run in a sandbox: ${shown}. What helps: ${hint}, then resume.`,
  };
}

/** Hosts that work on the item cannot do without. */
function domainsOf({ config }: RuntimeSettings): readonly string[] {
  const { host, apiBaseUrl } = config.integrations.codeHost;
  const api = apiBaseUrl === null ? `api.${host}` : new URL(apiBaseUrl).hostname;
  return [host.split(":")[0] ?? host, api, ...config.harnesses.A.sandboxDomains];
}

/** From now on nothing but the operator lets its turns run without one. */
async function noteOn(
  { turn }: TakenLane,
  { endpoint, sandboxed }: Session,
  { store }: RuntimeParts,
): Promise<void> {
  if (sandboxed === true) return;
  const recorded = { kind: "session-sandboxed", endpoint: refOf(endpoint) } as const;
  await store.items.updateOwn(turn.workItem, (item) => ({
    after: evolve(item, recorded),
    lines: [],
  }));
}

async function noteOff({ turn }: TakenLane, why: string, parts: RuntimeParts): Promise<void> {
  const { store } = parts;
  if (
    (
      await store.events.list({
        workItem: turn.workItem,
        kind: "sandbox.off",
        limit: 1,
        newestFirst: true,
      })
    )[0]?.fields["why"] === why
  )
    return;
  await store.events.append([
    eventLine(parts, "sandbox.off", {
      level: "warn",
      workItem: turn.workItem,
      fields: { turn: turn.id, why },
    }),
  ]);
}

/** Whether an attempt of an earlier life of ours was begun in a sandbox. */
export async function wasSandboxed(
  harness: HarnessId,
  turnDir: string,
  receipt: string,
  { harnesses }: Pick<RuntimeParts, "harnesses">,
): Promise<boolean> {
  return ((await harnesses[harness]?.sandbox?.find(turnDir, receipt)) ?? null) !== null;
}

/**
 * Sweeps up after an attempt that has ended. What can't be removed is in nobody's way for long: the
 * next attempt sweeps again.
 */
export async function closeSandbox(
  harness: HarnessId,
  turnDir: string,
  receipt: string,
  { harnesses, log }: Pick<RuntimeParts, "harnesses" | "log">,
): Promise<void> {
  try {
    await harnesses[harness]?.sandbox?.close(turnDir, receipt);
  } catch (error) {
    log(
      "warn",
      `the sandbox of attempt ${receipt} could not be cleaned up: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/**
 * The text of a comment of ours; the first on its work item after it was noted that its agent runs
 * without a sandbox also says so.
 */
export async function withSandboxNote(
  text: PostText,
  workItem: RefText | null,
  { store }: Pick<RuntimeParts, "store">,
): Promise<PostText> {
  if (workItem === null) return text;
  const newest = async (kind: "sandbox.off" | "host.posted") =>
    (await store.events.list({ workItem, kind, limit: 1, newestFirst: true }))[0];
  const [off, posted] = [await newest("sandbox.off"), await newest("host.posted")];
  if (off === undefined || (posted !== undefined && posted.id > off.id)) return text;
  return withMessage(
    text,
    say`_The agent of this work item runs without a sandbox: ${trustedWords(String(off.fields["why"]))}._`,
  );
}
