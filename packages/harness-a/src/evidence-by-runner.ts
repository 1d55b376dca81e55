import type { AttemptTrace, ReceiptEvidence, Turns } from "@loopwork/core/ports";

/** What either runner's traces say of an attempt. */
export type Judges = Readonly<
  Record<Turns["runner"], (attempt: AttemptTrace) => Promise<ReceiptEvidence>>
>;

/**
 * What is known of an attempt by the traces of the runner that made it: a message that was typed is
 * on record under its first words and not under an id, so the other one's traces of it look as if
 * it had never been sent. A message that was read and not yet answered can be asked again, or
 * waited for, only by the runner that sent it; by the other it counts as interrupted.
 */
export async function evidenceOf(
  attempt: AttemptTrace,
  judges: Judges,
  today: Turns["runner"],
): Promise<ReceiptEvidence> {
  const { runner, evidence } =
    attempt.runner === null
      ? await judgeByEither(attempt, judges)
      : { runner: attempt.runner, evidence: await judges[attempt.runner](attempt) };
  return evidence.kind === "asked-only" && runner !== today ? { kind: "interrupted" } : evidence;
}

/**
 * Records of earlier versions do not say how an attempt was made: it is absent only where neither
 * runner left a trace.
 */
async function judgeByEither(
  attempt: AttemptTrace,
  judges: Judges,
): Promise<{ readonly runner: Turns["runner"]; readonly evidence: ReceiptEvidence }> {
  const typed = await judges.tmux(attempt);
  return typed.kind === "absent"
    ? { runner: "headless", evidence: await judges.headless(attempt) }
    : { runner: "tmux", evidence: typed };
}
