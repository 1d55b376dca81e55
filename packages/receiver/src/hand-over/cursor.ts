import { readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { LoopError } from "@loopwork/core/ports";

/**
 * How far deliveries were handed on: survives restarts, so that none is left out and few come
 * twice.
 */
export type Cursor = {
  /** Last `seq` that was handed on; 0 before the first. */
  readonly seq: number;
  /** Moves on durably. */
  advance(seq: number): Promise<void>;
};

/**
 * Reads the cursor of one hand-over kind in an inbox's folder.
 * @throws {LoopError} `LOOP_E_CURSOR` when the file is there and holds no cursor.
 */
export function openCursor(directory: string, kind: "ndjson" | "forward"): Cursor {
  const path = join(directory, `${kind}.cursor`);
  let seq = readCursor(path);
  return {
    get seq() {
      return seq;
    },
    advance: async (to) => {
      const handle = await open(`${path}.new`, "w", 0o600);
      try {
        await handle.writeFile(`${to}\n`);
        await handle.datasync();
      } finally {
        await handle.close();
      }
      await rename(`${path}.new`, path);
      seq = to;
    },
  };
}

function readCursor(path: string): number {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw error;
  }
  if (!/^[0-9]{1,16}\n$/.test(text))
    throw new LoopError(
      "LOOP_E_CURSOR",
      `${path} holds no cursor.`,
      "Remove it to hand every stored delivery on again.",
    );
  return Number(text);
}
