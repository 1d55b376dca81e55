// What reading a record needs, and nothing that decides: a hook that looks one up must start fast.
export { foldLogin } from "./accounts/account.ts";
export { replayWindowMs } from "./event/delivery.ts";
export { isEnd } from "./turn/ends.ts";
export { emptyItemState, isEmptyItem } from "./work-item/records.ts";
export { refPrefix } from "./ref/ref.ts";
export { renaming } from "./event/repository-names.ts";
