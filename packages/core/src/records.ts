// What reading a record needs, and nothing that decides: a hook that looks one up must start fast.
export { foldLogin } from "./accounts/account.ts";
export { replayWindowMs } from "./delivery/delivery.ts";
export { isEnd } from "./dispatch/ends.ts";
export { emptyItemState, isEmptyItem } from "./work-item/records.ts";
export { refPrefix } from "./work-item/ref.ts";
export { renaming } from "./work-item/repository-names.ts";
