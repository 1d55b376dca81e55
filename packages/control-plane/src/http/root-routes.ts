import { eventKinds } from "@loopwork/core/ports";
import type { JsonSchema } from "../operations/operation.ts";
import { problemResponse } from "./problem-schema.ts";

/**
 * The routes that are no operation of the table: what they answer is no JSON, or is asked without
 * the token.
 */
export const rootRoutes: readonly {
  readonly path: string;
  readonly method: "get";
  readonly object: JsonSchema;
}[] = [
  {
    path: "/health",
    method: "get",
    object: {
      operationId: "probe",
      summary: "whether the service answers; no token",
      security: [],
      responses: {
        200: { description: "it does", content: { "text/plain": { schema: { const: "ok" } } } },
        default: problemResponse,
      },
    },
  },
  {
    path: "/",
    method: "get",
    object: {
      operationId: "show-dashboard",
      summary: "the dashboard's page, which holds no data; no token",
      security: [],
      responses: {
        200: { description: "a page", content: { "text/html": { schema: { type: "string" } } } },
        default: problemResponse,
      },
    },
  },
  {
    path: "/api/v1/openapi.json",
    method: "get",
    object: {
      operationId: "show-openapi",
      summary: "this document; no token",
      security: [],
      responses: {
        200: {
          description: "OpenAPI 3.1",
          content: { "application/json": { schema: { type: "object" } } },
        },
        default: problemResponse,
      },
    },
  },
  {
    path: "/api/v1/events/stream",
    method: "get",
    object: {
      operationId: "stream-events",
      summary: "new lines of the event log as server-sent events; resumed after Last-Event-ID",
      parameters: [
        { in: "query", name: "kind", required: false, schema: { enum: eventKinds } },
        {
          in: "query",
          name: "workItem",
          required: false,
          schema: { type: "string", minLength: 1, maxLength: 400 },
        },
        {
          in: "header",
          name: "Last-Event-ID",
          required: false,
          schema: { type: "string", pattern: "^[0-9]{1,15}$" },
        },
      ],
      responses: {
        200: {
          description: "each event is a line as in /events",
          content: { "text/event-stream": { schema: { type: "string" } } },
        },
        default: problemResponse,
      },
    },
  },
  {
    path: "/metrics",
    method: "get",
    object: {
      operationId: "show-metrics",
      summary: "counts of this process and of the records, for Prometheus",
      responses: {
        200: {
          description: "Prometheus text",
          content: { "text/plain": { schema: { type: "string" } } },
        },
        default: problemResponse,
      },
    },
  },
];
