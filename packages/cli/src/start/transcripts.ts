import type { SessionName } from "@loopwork/control-plane";
import type { TranscriptEntry } from "@loopwork/core/ports";
import type { Redact } from "../runtime/parts.ts";
import type { LoadedConfig } from "./load-config.ts";
import type { Io } from "./ports.ts";

/** Reads conversations where the harness keeps them, without secrets (P17); of harness B none can be read. */
export function openTranscripts(loaded: LoadedConfig, io: Pick<Io, "home">, redact: Redact): (session: SessionName) => Promise<readonly TranscriptEntry[] | null> {
  return async ({ harness, harnessSessionId }) => {
    if (harness !== "A") return null;
    const { configDirOf, readConversation } = await import("@loopwork/harness-a");
    const entries = await readConversation(configDirOf({ ...loaded.env, ...loaded.config.harnesses.A.env }, io.home), harnessSessionId);
    return entries?.map((entry) => ({ ...entry, text: redact(entry.text) })) ?? null;
  };
}
