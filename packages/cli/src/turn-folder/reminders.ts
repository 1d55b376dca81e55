import { join } from "node:path";

/**
 * Where the stop hook notes each reminder of a turn, a byte each: hook and driver are processes of
 * their own, and count together.
 */
export function remindersFile(turnDir: string): string {
  return join(turnDir, "reminders");
}
