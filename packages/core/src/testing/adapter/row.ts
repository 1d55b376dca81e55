import { promptText } from "../../message/prompt-text.ts";
import type { HarnessCapabilities, TurnRequest } from "../../ports/harness.ts";
import { beginAttempt, type EndedAttempt, runAttempt, type RunningAttempt } from "./attempt.ts";
import type { AdapterStage, Deed } from "./stage.ts";

/**
 * A promise of every adapter, or of those whose capabilities claim something; `run` rejects with
 * what differs. A fresh stage each time.
 */
export type AdapterRow = {
  readonly id: string;
  readonly title: string;
  /**
   * Whether the row is about an adapter with these capabilities. What one claims and what it
   * disclaims both have their rows.
   */
  fits(capabilities: HarnessCapabilities): boolean;
  run(stage: AdapterStage): Promise<void>;
};

export function row(
  id: string,
  title: string,
  run: AdapterRow["run"],
  fits: AdapterRow["fits"] = () => true,
): AdapterRow {
  return { id, title, fits, run };
}

export const withReceipts: AdapterRow["fits"] = ({ receipts }) => receipts;
export const withoutReceipts: AdapterRow["fits"] = ({ receipts }) => !receipts;

/** What a row says in a conversation: words of its own, or deeds. */
export type Words = string | readonly Deed[];
type Over = Partial<Pick<TurnRequest, "mode" | "receipt" | "workdir" | "env">>;

/** A conversation of a row. Its first turn starts it; a row resumes it by `mode`. */
export type Conversation = {
  readonly id: string;
  begin(words: Words, over?: Over): Promise<RunningAttempt>;
  turn(words: Words, over?: Over): Promise<EndedAttempt>;
  messages(): readonly string[];
};

/** A new conversation, or the one that goes by an id. */
export async function conversation(stage: AdapterStage, known?: string): Promise<Conversation> {
  const id = known ?? (await newId(stage));
  const request = (words: Words, over: Over = {}): TurnRequest => {
    const { prompt, env } =
      typeof words === "string" ? { prompt: words, env: {} } : stage.script(words);
    return {
      mode: "start",
      sessionId: id,
      receipt: stage.uuid(),
      prompt: promptText(prompt),
      workdir: stage.place.workdir,
      turnDir: stage.place.turnDir,
      ...over,
      env: { ...stage.env, ...env, ...over.env },
    };
  };
  return {
    id,
    begin: (words, over) => beginAttempt(stage.turns, request(words, over), stage.start),
    turn: (words, over) => runAttempt(stage.turns, request(words, over), stage.start),
    messages: () => stage.program.messages(id),
  };
}

async function newId(stage: AdapterStage): Promise<string> {
  const made = await stage.newConversation();
  if (made.kind === "made") return made.id;
  throw new Error(`no conversation could be made: ${JSON.stringify(made.outcome)}`);
}

export const say = (text: string): readonly Deed[] => [{ kind: "say", text }];
export const run = (command: string): readonly Deed[] => [{ kind: "run", command }];
/** Longer than any row waits. */
export const thinkLong: readonly Deed[] = [{ kind: "wait", ms: 30_000 }];
