export { appendPending, type PendingFile, readPending } from "./pending-queue.ts";
