import type { SessionName } from "@loopwork/control-plane";
import type { TranscriptEntry } from "@loopwork/core/ports";
import type { Redact, RuntimeSettings } from "@loopwork/runtime";
import type { Io } from "../io/io.ts";

/**
 * Reads conversations where the harness keeps them, without secrets; of harness B none can be read.
 */
export function openTranscripts(
  settings: () => Pick<RuntimeSettings, "config" | "env">,
  io: Pick<Io, "home">,
  redact: Redact,
): (session: SessionName) => Promise<readonly TranscriptEntry[] | null> {
  return async ({ harness, harnessSessionId }) => {
    if (harness !== "A") return null;
    const { configDirOf, readConversation } = await import("@loopwork/harness-a");
    const { config, env } = settings();
    const entries = await readConversation(
      configDirOf({ ...env, ...config.harnesses.A.env }, io.home),
      harnessSessionId,
    );
    return entries?.map((entry) => ({ ...entry, text: redact(entry.text) })) ?? null;
  };
}
