export { Command } from "./commands/command.ts";
export type { Block, Result } from "./output/result.ts";
export type { Call } from "./io/call.ts";
export { main } from "./program.ts";
export type { Ports } from "./ports/command-ports.ts";
export type { Io } from "./io/io.ts";
