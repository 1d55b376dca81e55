import { LoopError } from "@loopwork/core/ports";
import { z } from "zod";
import type { ControlPlanePorts } from "../ports.ts";
import { inputProblems, InputRejected } from "./input-rejected.ts";

export type Method = "get" | "post" | "put" | "delete";

/** A JSON Schema value. */
export type JsonSchema = { readonly [key: string]: unknown };

/**
 * One thing that can be asked of the service. REST routes, the OpenAPI document and the tools of
 * /mcp are projections of the table of these (table.ts); none of them knows more about an operation
 * than stands here.
 */
export type Operation = {
  /** Lower-case words with hyphens: the operation's id everywhere. */
  readonly name: string;
  /** One line. */
  readonly summary: string;
  readonly kind: "read" | "write";
  /** A write that takes something away which does not come back by itself. */
  readonly destructive: boolean;
  /** Again with the same input changes nothing more. */
  readonly idempotent: boolean;
  /** Path under `/api/v1`; names in braces are fields of the input. */
  readonly route: { readonly method: Method; readonly path: string };
  readonly status: 200 | 202;
  /** Whether it is a tool of /mcp, and which values of its input agents may not give. */
  readonly tool: Tool | null;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  /**
   * Answers an input of any shape. Rejects with `InputRejected`, or with a `LoopError` that says
   * what to do.
   */
  readonly answer: (input: unknown, ports: ControlPlanePorts) => Promise<unknown>;
  /** The same for an agent, who may give less; rejects for an operation that is no tool. */
  readonly answerAgents: Operation["answer"];
};

/** What agents may give; narrower than the operation's own input, or the same. */
export type Tool = { readonly input: JsonSchema };

export type OperationDefinition<I extends z.ZodObject, O> = Pick<
  Operation,
  "name" | "summary" | "kind" | "route"
> & {
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly status?: 202;
  /** True, or the schema of what agents may give. */
  readonly tool: boolean | z.ZodObject;
  readonly input: I;
  readonly output: z.ZodType<O>;
  readonly run: (input: z.output<I>, ports: ControlPlanePorts) => Promise<O>;
};

/**
 * Makes an operation out of its definition. What `run` returns goes through the output's schema, so
 * that an answer holds nothing that the documents do not name.
 */
export function defineOperation<I extends z.ZodObject, O>(
  definition: OperationDefinition<I, O>,
): Operation {
  const { name, summary, kind, route, input, output, run } = definition;
  const narrow =
    definition.tool === true ? input : definition.tool === false ? null : definition.tool;
  return {
    name,
    summary,
    kind,
    destructive: definition.destructive ?? false,
    idempotent: definition.idempotent ?? kind === "read",
    route,
    status: definition.status ?? 200,
    tool: narrow === null ? null : { input: schemaOf(narrow, "input") },
    input: schemaOf(input, "input"),
    output: schemaOf(output, "output"),
    answer,
    async answerAgents(given, ports) {
      if (narrow === null)
        throw new InputRejected([{ path: "", message: "this is not for agents" }]);
      accepted(narrow, given);
      return answer(given, ports);
    },
  };

  async function answer(given: unknown, ports: ControlPlanePorts): Promise<unknown> {
    return output.parse(await run(accepted(input, given), ports));
  }
}

function accepted<I extends z.ZodObject>(schema: I, given: unknown): z.output<I> {
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new InputRejected(inputProblems(parsed.error));
  return parsed.data;
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
  });
  return rest;
}

/** A work item that nobody has heard of. */
export function unknownItem(ref: string): LoopError {
  return new LoopError(
    "LOOP_E_UNKNOWN_ITEM",
    `Nothing is on record for ${ref}`,
    "List what is on record with `GET /api/v1/work-items`. A work item is once an event or request named it.",
  );
}
