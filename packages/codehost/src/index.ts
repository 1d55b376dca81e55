export { apiBaseOf, type Dialect } from "./api-base.ts";
export { type CodeHostOptions, createCodeHost } from "./client.ts";
export { createMarks, type Marks, openMarks } from "./marker.ts";
