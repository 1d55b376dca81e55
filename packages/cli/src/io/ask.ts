import type { Readable, Writable } from "node:stream";
import { LoopError } from "@loopwork/core/ports";

/**
 * Asks a person at a terminal and resolves to the answer, trimmed. Rejects with `LOOP_E_NO_ANSWER`
 * where they left instead (Ctrl-C, Ctrl-D).
 */
export async function ask(
  question: string,
  input: Readable = process.stdin,
  output: Writable = process.stderr,
): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const asking = createInterface({ input, output });
  const left = new Promise<never>((_resolve, reject) =>
    asking.once("close", () => reject(noAnswer())),
  );
  try {
    return (await Promise.race([asking.question(question), left])).trim();
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") throw noAnswer();
    throw error;
  } finally {
    left.catch(() => {}); // Closing is how every asking ends.
    asking.close();
  }
}

function noAnswer(): LoopError {
  return new LoopError(
    "LOOP_E_NO_ANSWER",
    "nobody answered, and nothing was written",
    "run it again, or give the answers as options",
  );
}
