// For programs that run a daemon of their own, such as fault runs: what `loop daemon` itself calls.
export type { RuntimeParts } from "../runtime/parts.ts";
export { type DaemonOptions, runDaemon } from "./daemons.ts";
export { type LoadedConfig, loadConfig } from "./load-config.ts";
export type { Io } from "./ports.ts";
