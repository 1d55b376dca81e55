export type { ControlReading } from "./control/keyword.ts";
export { readControl } from "./control/keyword.ts";
export { isLogin } from "./control/account.ts";
export type { ControlVerb } from "./normalise/event.ts";
