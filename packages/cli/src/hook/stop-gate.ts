import { appendFileSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { HookCall } from "@loopwork/core/ports";
import { formatRef } from "@loopwork/core/refs";
import type { Ports } from "../start/ports.ts";
import { type BindingPorts, boundItem } from "./bound-item.ts";

/**
 * Why a session may not stop yet (service.md 6.6, Stop gate); null when it may. What `loop check` calls incomplete keeps it, as often
 * as the driver would remind a harness without such a hook; what waits for a person, or cannot be told, keeps nobody.
 */
export async function reasonToGoOn(call: HookCall, ports: BindingPorts & Pick<Ports, "gate">): Promise<string | null> {
  if (call.event !== "stop" || ports.io.env["LOOP_GATE"] === "driver") return null;
  const item = await boundItem(call, ports);
  if (item === null) return null;
  // Late, because most conversations are bound to nothing, and hooks start fast.
  const { maxReminders, unfinished } = await import("@loopwork/core");
  const reminded = remindersOf(ports.turn()?.turnDir ?? null, maxReminders);
  if (reminded.isOver(call.again)) return null;
  const answer = await (await ports.gate()).check({ workItem: formatRef(item), workdir: call.cwd ?? ports.io.cwd });
  if (answer.kind !== "incomplete") return null;
  reminded.note();
  return unfinished(answer.missing);
}

/** Reminders of a turn are counted in its folder, a byte each. A conversation of a person has none, and is kept once. */
function remindersOf(turnDir: string | null, most: number): { isOver(again: boolean): boolean; note(): void } {
  if (turnDir === null) return { isOver: (again) => again, note: () => {} };
  const file = join(turnDir, "reminders");
  return { isOver: () => existsSync(file) && statSync(file).size >= most, note: () => appendFileSync(file, ".", { mode: 0o600 }) };
}
