import { openedBy } from "@loopwork/core";
import { type HookCall, LoopError, parseRef, promptJson, type RefText } from "@loopwork/core/ports";
import { askDispatcher } from "../turn-folder/requests.ts";
import type { Ports } from "../ports/command-ports.ts";
import { byCommandLine } from "../steer/by-command-line.ts";
import { linkPullRequest } from "../steer/link-pull-request.ts";
import { boundItem } from "./bound-item.ts";
import { within } from "./with-timeout.ts";
import { sha256 } from "@loopwork/runtime/sha256";

/**
 * Records the pull requests that a tool call opened against the session's work item; resolves to
 * what the model is told of it, null where there is nothing to tell. Doing it twice is as doing it
 * once.
 */
export async function recordOpened(call: HookCall, ports: Ports): Promise<string | null> {
  if (call.event !== "post-tool" || hasFailed(call.response)) return null;
  const opened = openedBy({ tool: call.tool ?? "", input: call.input, output: call.response });
  const told = await Promise.all(
    opened.map((pullRequest) =>
      record(pullRequest, call, ports).catch((error: unknown) => failure(pullRequest, error)),
    ),
  );
  const lines = told.filter((line) => line !== null);
  return lines.length === 0 ? null : lines.join("\n");
}

/** Harness A tells of a failing command in another event, harness B by its exit code. */
function hasFailed(response: unknown): boolean {
  const code: unknown =
    typeof response === "object" && response !== null && "exitCode" in response
      ? response.exitCode
      : 0;
  return code !== 0;
}

async function record(pullRequest: RefText, call: HookCall, ports: Ports): Promise<string | null> {
  const turn = ports.turn();
  if (turn !== null) return askForIt(pullRequest, turn.turnDir, call);
  const item = await boundItem(call, ports);
  const ref = parseRef(pullRequest, (await ports.policy()).defaultHost);
  if (item === null || ref === null) return null;
  const steering = byCommandLine(ports);
  // The link counts without its head: the hook has seconds, and a host may not show yet what was
  // opened a moment ago.
  const head = await within(hostMs, steering.headOf(ref));
  const known = { ...steering, headOf: async () => (head === "none" ? null : head) };
  const linked = await linkPullRequest(item, ref, known, await ports.codeHost());
  return `loop: recorded ${linked.pullRequest} against ${linked.workItem}`;
}

/** Inside of a turn the dispatcher records it; the same call told twice is one request. */
async function askForIt(
  pullRequest: RefText,
  turnDir: string | null,
  { toolUseId }: HookCall,
): Promise<string> {
  if (turnDir === null)
    throw new LoopError(
      "LOOP_E_TURN_UNKNOWN",
      "Can't tell which turn this is: LOOP_TURN_DIR isn't set",
      "Run it where LOOP_TURN_DIR is set",
    );
  const name = `opened-${sha256(`${toolUseId ?? ""} ${pullRequest}`).slice(0, 32)}`;
  const answer = await askDispatcher(turnDir, name, { kind: "link-pr", pullRequest }, dispatcherMs);
  if (!answer.ok) throw new LoopError(answer.code, answer.message, answer.hint);
  return `loop: ${answer.message}`;
}

const hostMs = 2_000;
const dispatcherMs = 4_000;

/**
 * Reported, and the work carries on. A request that nobody answered in time is kept and carried
 * out.
 */
function failure(pullRequest: RefText, error: unknown): string {
  const number = pullRequest.slice(pullRequest.lastIndexOf("#") + 1);
  if (error instanceof LoopError && error.code === "LOOP_E_TURN_NO_ANSWER")
    return `loop: ${pullRequest} will be recorded as soon as the service answers`;
  const why = error instanceof Error ? error.message : String(error);
  return `loop: could not record ${pullRequest}: ${promptJson(why.slice(0, 500))}. Go on with your work; \`loop sessions link-pr --pull-request ${number}\` tries again`;
}
