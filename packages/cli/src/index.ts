export { Command } from "./commands/command.ts";
export type { Block, Call, Result } from "./commands/command.ts";
export { main } from "./program.ts";
export type { Io, Ports } from "./start/ports.ts";
