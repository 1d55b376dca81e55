// For programs that run a daemon of their own, such as fault runs: what `loop daemon` itself calls.
export type { Marks, RuntimeParts, RuntimeSettings } from "../runtime/parts.ts";
export type { TurnFiles } from "../runtime/turn/turn-files.ts";
export { type DaemonOptions, runDaemon } from "./daemons.ts";
export { type LoadedConfig, loadConfig } from "./load-config.ts";
export type { Io } from "./ports.ts";
export { unattendedIo } from "./unattended-io.ts";
// For the simulator, which runs the same wiring over parts of its own.
export { openRepositoryNames, underPresentNames } from "../runtime/repository-names.ts";
export { createUnwind, type Unwind } from "./unwind.ts";
export { wire, type Wired } from "./wire.ts";
// For rows about terminals, which look at them with the same eyes.
export { placeOf, type TerminalPlace } from "../runtime/terminal/place.ts";
export { createTmux } from "../runtime/terminal/tmux.ts";
// For measuring what starting a child costs.
export type { Broker } from "../runtime/broker/broker.ts";
export { openBroker } from "./launch-broker.ts";
export { type StartChild, startChild, type StartPlan } from "../runtime/start-child.ts";
