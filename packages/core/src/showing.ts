// What showing records needs, and nothing that understands or decides: people look at lists often.
export { ago } from "./text/ago.ts";
export { eventKinds } from "./event-log/event-line.ts";
export { inline } from "./text/hidden-characters.ts";
export { standingOf } from "./control/instance-life.ts";
export { parsePayload } from "./event/parse-payload.ts";
