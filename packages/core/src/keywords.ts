export type { ControlReading } from "./control/keyword.ts";
export { readControl } from "./control/keyword.ts";
export { isLogin } from "./accounts/account.ts";
export type { ControlVerb } from "./event/event.ts";
