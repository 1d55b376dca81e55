export { installReal, pinnedVersion } from "./install.ts";
export { type MessagesApi, startMessagesApi } from "./messages-api.ts";
export { installPinned } from "./npm-ci.ts";
export { rows } from "./rows/index.ts";
export type { Row } from "./row.ts";
export { type RowResult, runRow } from "./run-rows.ts";
export { fixtureSubject, realSubject, type Subject } from "./subject.ts";
