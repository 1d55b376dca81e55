export { StoreError, type StoreErrorCode } from "./errors.ts";
export { createLocks } from "./lock.ts";
export { type OpenOptions, openStore } from "./open.ts";
