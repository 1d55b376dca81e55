import { existsSync, statSync } from "node:fs";
import { formatRef, type HookCall, type PromptText } from "@loopwork/core/ports";
import { appendToPlainFile } from "../files/plain-file.ts";
import { remindersFile } from "../turn-folder/reminders.ts";
import { askDispatcher } from "../turn-folder/requests.ts";
import type { Ports } from "../ports/command-ports.ts";
import { type BindingPorts, boundItem } from "./bound-item.ts";

/**
 * Why a session may not stop yet, null when it may (docs/specification.md#harness-hooks). What
 * `loop check` calls incomplete keeps it, as often as the driver would remind a harness without
 * such a hook; what waits for a person, or cannot be told, keeps nobody.
 */
export async function reasonToGoOn(
  call: HookCall,
  ports: BindingPorts & Pick<Ports, "gate" | "mentionsGraph" | "clock" | "ids">,
): Promise<PromptText | null> {
  if (call.event !== "stop" || ports.io.env["LOOP_GATE"] === "driver") return null;
  // Hooks start fast: without a graph nothing can be missing, and neither store nor core is loaded.
  if ((await ports.mentionsGraph()) !== true) return null;
  const item = await boundItem(call, ports);
  if (item === null) return null;
  const { maxReminders, unfinishedPrompt } = await import("@loopwork/core/ports");
  const turnDir = ports.turn()?.turnDir ?? null;
  const reminded = remindersOf(turnDir, maxReminders);
  if (reminded.isOver(call.again)) return null;
  const answer = await (
    await ports.gate()
  ).check({ workItem: formatRef(item), workdir: call.cwd ?? ports.io.cwd });
  if (answer.kind !== "incomplete") return null;
  reminded.note();
  // An answer that is late changes nothing: the request is kept, and the session must go on.
  if (turnDir !== null)
    await askDispatcher(
      turnDir,
      `${ports.clock.now()}-${ports.ids.uuid()}`,
      { kind: "kept" },
      answerWithinMs,
    ).catch(() => {});
  return unfinishedPrompt(answer.missing, ports.ids.uuid().replaceAll("-", ""));
}

const answerWithinMs = 1_000;

/**
 * Reminders of a turn are counted in its folder, a byte each. A conversation of a person has none,
 * and is kept once.
 */
function remindersOf(
  turnDir: string | null,
  most: number,
): { isOver(again: boolean): boolean; note(): void } {
  if (turnDir === null) return { isOver: (again) => again, note: () => {} };
  const file = remindersFile(turnDir);
  const note = (): void => appendToPlainFile(file, ".");
  return { isOver: () => existsSync(file) && statSync(file).size >= most, note };
}
