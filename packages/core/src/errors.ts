export { LoopError } from "./ports/loop-error.ts";
