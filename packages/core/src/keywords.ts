export type { ControlVerb } from "./normalise/event.ts";
