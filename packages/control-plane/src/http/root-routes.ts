import type { JsonSchema } from "../operations/operation.ts";

/** The routes that are no operation of the table: what they answer is no JSON, or is asked without the token. */
export const rootRoutes: readonly { readonly path: string; readonly method: "get"; readonly object: JsonSchema }[] = [
  { path: "/health", method: "get", object: { operationId: "probe", summary: "whether the service answers; no token", security: [], responses: { 200: { description: "it does", content: { "text/plain": { schema: { const: "ok" } } } } } } },
  { path: "/api/v1/openapi.json", method: "get", object: { operationId: "show-openapi", summary: "this document; no token", security: [], responses: { 200: { description: "OpenAPI 3.1", content: { "application/json": { schema: { type: "object" } } } } } } },
];
