import type { JsonSchema } from "../operations/operation.ts";

/** `Problem` of problem.ts, as the document describes it. */
export const problemSchema: JsonSchema = {
  type: "object",
  description: "RFC 9457; `code` is stable",
  required: ["type", "title", "status", "detail", "code", "hint"],
  additionalProperties: false,
  properties: {
    type: { const: "about:blank" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { type: "string", pattern: "^LOOP_E_[A-Z_]+$" },
    hint: { type: "string" },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["path", "message"],
        additionalProperties: false,
        properties: { path: { type: "string" }, message: { type: "string" } },
      },
    },
  },
};

/** Whatever is no good answer, of any route. */
export const problemResponse: JsonSchema = {
  description: "why not",
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
};
