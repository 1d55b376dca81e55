import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { quietJson } from "../http/json.ts";
import { fault, problemOf } from "../http/problem.ts";
import type { Operation } from "../operations/operation.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { answerForAgents, schemaForAgents } from "./for-agents.ts";

/** An operation that is a tool, as clients see it. */
export function describeTool({
  name,
  summary,
  kind,
  destructive,
  idempotent,
  tool,
  output,
}: Operation): Tool | null {
  if (tool === null) return null;
  const annotations = {
    title: summary,
    readOnlyHint: kind === "read",
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: false,
  };
  return {
    name,
    title: summary,
    description: `${summary}.`,
    inputSchema: { ...tool.input, type: "object" },
    outputSchema: { ...schemaForAgents(output), type: "object" },
    annotations,
  };
}

/**
 * Carries out a call. What is wrong with it is said in the result, so that the model can mend it.
 */
export async function callTool(
  operation: Operation,
  input: unknown,
  ports: ControlPlanePorts,
  onFault: (error: unknown) => void,
): Promise<CallToolResult> {
  try {
    const answer = answerForAgents(await operation.answerAgents(input, ports), operation.output);
    return {
      content: [{ type: "text", text: quietJson(answer) }],
      structuredContent: asObject(answer),
    };
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) onFault(error);
    const { code, detail, hint, errors = [] } = problem ?? fault;
    const parts = errors
      .map(({ path, message }) => ` ${path === "" ? "input" : path}: ${message}.`)
      .join("");
    return {
      isError: true,
      content: [{ type: "text", text: `${code}: ${detail}.${parts} ${hint}.` }],
    };
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
