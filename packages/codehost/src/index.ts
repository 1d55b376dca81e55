export type { Dialect } from "./address.ts";
export type { CodeHostOptions } from "./client.ts";
export { createCodeHost } from "./code-host.ts";
export { createHostSetup, type HostSetup } from "./setup.ts";
export { createMarks, type Marks } from "./marker.ts";
export { openMarks } from "./marker-key.ts";
