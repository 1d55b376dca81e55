export {
  type Accept,
  type AcceptOptions,
  type Admitted,
  createAccept,
  defaultEvents,
  type Refused,
} from "./accept.ts";
export { type Disk, type DiskFile, realDisk } from "./file-inbox/disk.ts";
export { type FileInbox, type FileInboxOptions, openFileInbox } from "./file-inbox/file-inbox.ts";
export type { Reader } from "./file-inbox/reader.ts";
export type { Entry } from "./file-inbox/record.ts";
export type { Damage } from "./file-inbox/recover.ts";
export type { Dialect } from "./headers.ts";
export {
  type Answer,
  answerTo,
  type Outcome,
  type Refusal,
  type RefusalRow,
  refusals,
} from "./outcome.ts";
export {
  createReceiver,
  type Receiver,
  type ReceiverEvent,
  type ReceiverOptions,
} from "./receiver.ts";
export type { Sender } from "./local-request.ts";
export type { Middleware } from "./router.ts";
export { defaultLimits, type ServerLimits } from "./server.ts";
export { createVerifier, formatSignature, type Verifier } from "./signature.ts";
export { type StartFacts, startWarnings } from "./warnings.ts";
