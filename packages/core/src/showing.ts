// What showing records needs, and nothing that understands or decides: people look at lists often.
export { ago } from "./audit/ago.ts";
export { eventKinds } from "./audit/event-kinds.ts";
export { inline } from "./audit/hidden.ts";
export { standingOf } from "./control/instance-life.ts";
export { parsePayload } from "./delivery/admit.ts";
