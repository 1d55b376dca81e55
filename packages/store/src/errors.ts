import { InboxUnavailable, LoopError } from "@loopwork/core/ports";

/** Codes of what can go wrong with a store or a lock folder. */
export type StoreErrorCode =
  | "LOOP_E_STORE_URL"
  | "LOOP_E_STORE_UNWRITABLE"
  | "LOOP_E_STORE_NOT_A_DATABASE"
  | "LOOP_E_STORE_NEWER"
  | "LOOP_E_STORE_OLDER"
  | "LOOP_E_STORE_MISSING"
  | "LOOP_E_STORE_BUSY"
  | "LOOP_E_STORE_FULL"
  | "LOOP_E_STORE_READONLY"
  | "LOOP_E_STORE_BROKEN"
  | "LOOP_E_STORE_BODY_DAMAGED"
  | "LOOP_E_STORE_CLOSED"
  | "LOOP_E_STORE_SEEN_BEFORE"
  | "LOOP_E_STORE_AWAY"
  | "LOOP_E_STORE_LOGIN"
  | "LOOP_E_STORE_TLS"
  | "LOOP_E_STORE_NO_DATABASE"
  | "LOOP_E_STORE_RIGHTS"
  | "LOOP_E_STORE_STANDBY"
  | "LOOP_E_STORE_TOO_OLD"
  | "LOOP_E_STORE_DRIVER"
  | "LOOP_E_STORE_IN_USE"
  | "LOOP_E_STORE_NOT_EMPTY"
  | "LOOP_E_STORE_UNFINISHED"
  | "LOOP_E_STORE_SAME"
  | "LOOP_E_STORE_INSTANCE"
  | "LOOP_E_STORE_COPY"
  | "LOOP_E_LOCK_NAME"
  | "LOOP_E_LOCK_UNWRITABLE";

/** A failure of the store that a person can meet and mend. */
export class StoreError extends LoopError {
  override readonly name: string = "StoreError";

  // oxlint-disable-next-line no-useless-constructor -- it narrows the codes to the list above
  constructor(code: StoreErrorCode, sentence: string, hint: string) {
    super(code, sentence, hint);
  }
}

export function closedError(): StoreError {
  return new StoreError(
    "LOOP_E_STORE_CLOSED",
    "The store was closed.",
    "This call came after the shutdown; start the command again.",
  );
}

export function seenBeforeError(key: string, of: string): StoreError {
  return new StoreError(
    "LOOP_E_STORE_SEEN_BEFORE",
    `The delivery ${of} had the semantic key ${key} before.`,
    "Read the facts of the delivery again and decide anew.",
  );
}

/** The error for whoever appends: any failure of the store means 503 there. */
export function unavailable(error: unknown): InboxUnavailable {
  const detail =
    error instanceof StoreError
      ? `${error.code}: ${error.message}`
      : error instanceof Error
        ? error.message
        : String(error);
  return new InboxUnavailable("LOOP_E_STORE_UNAVAILABLE", detail);
}

export function backlogFull(max: number): InboxUnavailable {
  return new InboxUnavailable("LOOP_E_BACKLOG_FULL", `${max} deliveries wait to be decided.`, 30);
}
