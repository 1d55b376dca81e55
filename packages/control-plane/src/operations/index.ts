export { pathFields } from "./paths.ts";
export type { JsonSchema, Operation } from "./operation.ts";
export { type OperationInput, type OperationRequest, requestOf } from "./request-of.ts";
export { operations } from "./table.ts";
