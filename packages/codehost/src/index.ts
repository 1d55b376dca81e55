export { apiBaseOf, type Dialect } from "./address.ts";
export type { Budget } from "./budget.ts";
export type { Answer, Changed, Client, CodeHostOptions, Parameters } from "./client.ts";
export { type CodeHostClient, codeHostOver, createCodeHost } from "./code-host.ts";
export { createShowItem, type ShownItem } from "./show-item.ts";
export { createHostSetup, type HostSetup } from "./setup.ts";
export { createMarks, type Marks } from "./marker.ts";
export { openMarks } from "./marker-key.ts";
