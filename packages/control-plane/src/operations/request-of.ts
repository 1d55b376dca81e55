import { apiPrefix, pathFields } from "./paths.ts";
import type { Operation } from "./operation.ts";

/**
 * What a client sends for an input: path with query from the root of the service, and the body
 * where there is one.
 */
export type OperationRequest = {
  readonly method: string;
  readonly path: string;
  readonly body: OperationInput | null;
};

/** Every field of an input is plain. */
export type OperationInput = Readonly<Record<string, string | number | boolean>>;

/**
 * The other way round of what the routes read: fields of the path there, the rest in the body of a
 * POST or PUT, else in the query.
 */
export function requestOf({ route }: Operation, input: OperationInput): OperationRequest {
  const inPath = pathFields(route.path);
  const path = inPath.reduce(
    (text, name) => text.replace(`{${name}}`, encodeURIComponent(String(input[name] ?? ""))),
    `${apiPrefix}${route.path}`,
  );
  const rest = Object.entries(input).filter(([name]) => !inPath.includes(name));
  const method = route.method.toUpperCase();
  if (method === "POST" || method === "PUT")
    return { method, path, body: Object.fromEntries(rest) };
  const query = new URLSearchParams(
    rest.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return { method, path: query === "" ? path : `${path}?${query}`, body: null };
}
