import type { Request, Response, Router } from "express";
import { LoopError } from "@loopwork/core/ports";
import type { MayWrite } from "../create.ts";
import { type InputProblem, InputRejected } from "../operations/input-rejected.ts";
import type { Operation } from "../operations/operation.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { sendJson } from "./json.ts";
import { apiPrefix, pathFields } from "../operations/paths.ts";
import { readJson } from "./read-body.ts";

/** Gives every operation its route, and each path a 405 for the methods that it does not take. */
export function addRoutes(
  router: Router,
  operations: readonly Operation[],
  ports: ControlPlanePorts,
  mayWrite: MayWrite,
): void {
  const methods = new Map<string, string[]>();
  for (const operation of operations) {
    const { method, path } = operation.route;
    const address = addressOf(path);
    methods.set(address, [...(methods.get(address) ?? []), method.toUpperCase()]);
    router[method](address, (request, response, next) => {
      answer(operation, request, response, { ports, mayWrite }).catch(next);
    });
  }
  for (const [address, allowed] of methods) {
    router.all(address, (_request, response, next) => {
      response.setHeader(
        "allow",
        allowed.includes("GET") ? [...allowed, "HEAD"].join(", ") : allowed.join(", "),
      );
      next(new LoopError("LOOP_E_METHOD", "Method not allowed", "See the `Allow` header"));
    });
  }
}

function addressOf(path: string): string {
  return `${apiPrefix}${path.replace(/\{([a-z]{1,20})\}/g, ":$1")}`;
}

async function answer(
  operation: Operation,
  request: Request,
  response: Response,
  { ports, mayWrite }: { readonly ports: ControlPlanePorts; readonly mayWrite: MayWrite },
): Promise<void> {
  if (operation.kind === "write") await mayWrite(request, operation.name);
  const answered = await operation.answer(await inputOf(operation, request), ports);
  sendJson(response, operation.status, answered);
}

/** One flat input out of path, query and body; each field comes from one place alone. */
async function inputOf(
  { route, input }: Operation,
  request: Request,
): Promise<Readonly<Record<string, unknown>>> {
  const query = [...new URL(request.originalUrl, "http://localhost").searchParams];
  const named = pathFields(route.path).map((name): [string, string] => [
    name,
    String(request.params[name]),
  ]);
  const takesBody = route.method === "post" || route.method === "put";
  const body = takesBody ? await readJson(request) : {};
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new InputRejected([{ path: "", message: "the body must be a JSON object" }]);
  const problems = [
    ...misplaced(
      query.map(([name]) => name),
      takesBody,
      named,
    ),
    ...Object.keys(body).flatMap((name) =>
      named.some(([each]) => each === name) ? [{ path: name, message: "stands in the path" }] : [],
    ),
  ];
  if (problems.length > 0) throw new InputRejected(problems);
  const written = [...named, ...query].map(([name, text]) => [
    name,
    valueOf(text, typeIn(input, name)),
  ]);
  return { ...body, ...Object.fromEntries(written) };
}

function misplaced(
  query: readonly string[],
  takesBody: boolean,
  named: readonly (readonly [string, string])[],
): readonly InputProblem[] {
  const problemOf = (name: string, index: number): string | null => {
    if (takesBody) return "belongs into the body";
    if (named.some(([each]) => each === name)) return "stands in the path";
    return query.indexOf(name) === index ? null : "was given twice";
  };
  return query.flatMap((name, index) => {
    const message = problemOf(name, index);
    return message === null ? [] : [{ path: name, message }];
  });
}

function typeIn(schema: Operation["input"], name: string): unknown {
  const { properties } = schema;
  if (typeof properties !== "object" || properties === null) return undefined;
  const field: unknown = Object.entries(properties).find(([each]) => each === name)?.[1];
  return typeof field === "object" && field !== null && "type" in field ? field.type : undefined;
}

/**
 * Text as the schema's type writes it; what does not fit stays text, which the schema then refuses.
 */
function valueOf(text: string, type: unknown): string | number | boolean {
  if ((type === "integer" || type === "number") && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}
