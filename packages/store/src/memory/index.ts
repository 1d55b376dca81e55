/**
 * Entry `@loopwork/store/memory`: several handles over the same data, as processes that share a
 * database, one after the other or at once.
 */
export { createMemoryData, type MemoryData } from "./data.ts";
export { createMemoryStore } from "./store.ts";
