import { LoopError } from "@loopwork/core/ports";

/** An option that makes no sense, told to whoever embeds the receiver. */
export function misuse(sentence: string, hint: string): LoopError {
  return new LoopError("LOOP_E_RECEIVER_OPTIONS", sentence, hint);
}
