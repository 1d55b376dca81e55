import type { Outcome } from "@loopwork/core/ports";

/** One message that a conversation got. `ends` counts the ends of turn that hang on it. */
export type Message = {
  readonly session: string;
  readonly lane: string;
  readonly receipt: string;
  readonly text: string;
  readonly continues: boolean;
  readonly at: number;
  acted: boolean;
  failed: Outcome | null;
  ends: number;
};

/** The harness's own record of its conversations, on disk: it outlives daemon and children. */
export type Transcripts = {
  exists(session: string): boolean;
  find(session: string, receipt: string): Message | null;
  /** The message goes on record, and the conversation begins with the first. */
  add(message: Message): void;
  /** Somebody removed the conversation's file. */
  forget(session: string): void;
  /** Lanes whose conversation was removed. */
  forgotten(): ReadonlySet<string>;
  /** Everything that is on record, in the order in which it came. */
  all(): readonly Message[];
};

export function createTranscripts(): Transcripts {
  let messages: readonly Message[] = [];
  const forgotten = new Set<string>();
  return {
    exists: (session) => messages.some((message) => message.session === session),
    find: (session, receipt) =>
      messages.find((message) => message.session === session && message.receipt === receipt) ??
      null,
    add: (message) => void (messages = [...messages, message]),
    forget(session) {
      for (const { lane } of messages.filter((message) => message.session === session))
        forgotten.add(lane);
      messages = messages.filter((message) => message.session !== session);
    },
    forgotten: () => forgotten,
    all: () => messages,
  };
}
