import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { endOfNotes, type HookCall } from "@loopwork/core/ports";
import type { Ports } from "../ports/command-ports.ts";

/**
 * The project's notes for a session that begins or goes on; null where it has them, or there are
 * none. What a conversation was told stands in its transcript, so nothing of ours has to remember
 * it, and a start that broke off before anything was written is told again.
 */
export async function tellNotes(
  call: HookCall,
  ports: Pick<Ports, "io" | "notes">,
): Promise<string | null> {
  try {
    const notes = await ports.notes(call.cwd ?? ports.io.cwd);
    return notes === null || (await wasTold(notes.hash, call)) ? null : notes.text;
  } catch (error) {
    ports.io.err(
      `loop: no project notes: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return null;
  }
}

/**
 * A harness that says nothing of how it starts is told when a conversation begins: what its
 * transcript holds of hooks is not known.
 */
async function wasTold(
  hash: string,
  { resumed, transcriptPath }: Pick<HookCall, "resumed" | "transcriptPath">,
): Promise<boolean> {
  if (resumed === false || transcriptPath === null) return false;
  return resumed === null ? hasText(transcriptPath) : holds(transcriptPath, endOfNotes(hash));
}

async function hasText(file: string): Promise<boolean> {
  return stat(file).then(
    ({ size }) => size > 0,
    () => false,
  );
}

/** Whether a file has a text in it, read in pieces: transcripts grow to many megabytes. */
async function holds(file: string, text: string): Promise<boolean> {
  let before = "";
  try {
    for await (const piece of createReadStream(file, {
      encoding: "latin1",
      highWaterMark: 1 << 20,
    })) {
      if (`${before}${piece}`.includes(text)) return true;
      before = String(piece).slice(-text.length);
    }
  } catch {
    // Nothing was written yet, so nothing was told.
  }
  return false;
}
