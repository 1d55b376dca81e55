export type { JsonSchema, Operation } from "./operation.ts";
export { operations } from "./table.ts";
