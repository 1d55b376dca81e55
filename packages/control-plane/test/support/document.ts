import { Ajv2020 } from "ajv/dist/2020.js";
import type { Answer, Asking } from "./serving.ts";

/**
 * One operation as the OpenAPI document describes it; read from the served document, not from our
 * table.
 */
export type Described = {
  readonly id: string;
  readonly path: string;
  readonly method: string;
  readonly parameters: readonly {
    readonly in: "path" | "query" | "header";
    readonly name: string;
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly body: {
    readonly properties: Readonly<Record<string, Schema>>;
    readonly required: readonly string[];
  } | null;
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >;
};
export type Schema = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
};

type Document = {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
};
type RawOperation = {
  readonly operationId: string;
  readonly parameters?: Described["parameters"];
  readonly requestBody?: {
    readonly content: {
      readonly "application/json": { readonly schema: NonNullable<Described["body"]> };
    };
  };
  readonly responses: Described["responses"];
};

/** The document that the service serves. */
export async function readDocument(serving: {
  ask(path: string, asking?: Asking): Promise<Answer>;
}): Promise<{
  readonly document: Document;
  readonly operations: readonly Described[];
  /** Throws unless the answer is one that the document describes. */ check(
    operation: Described,
    answer: Answer,
  ): void;
}> {
  const document = (await serving.ask("/api/v1/openapi.json", { token: null })).json() as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => ({
      id: raw.operationId,
      path,
      method,
      parameters: raw.parameters ?? [],
      body: raw.requestBody?.content["application/json"].schema ?? null,
      responses: raw.responses,
    })),
  );
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(document, "document");
  return {
    document,
    operations,
    check(operation, answer) {
      const described =
        operation.responses[String(answer.status)] === undefined
          ? "default"
          : String(answer.status);
      const type = String(answer.headers["content-type"]).split(";")[0] ?? "";
      if (operation.responses[described]?.content[type] === undefined)
        throw new Error(
          `${operation.id} answered ${answer.status} ${type}, which the document does not describe: ${answer.text}`,
        );
      const escaped = (part: string): string =>
        encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
      const validate = ajv.compile({
        $ref: `document#/paths/${escaped(operation.path)}/${operation.method}/responses/${described}/content/${escaped(type)}/schema`,
      });
      if (!validate(type.endsWith("json") ? answer.json() : answer.text))
        throw new Error(`${operation.id}: ${ajv.errorsText(validate.errors)} in ${answer.text}`);
    },
  };
}

/** The request that carries this input, as the document says where each field goes. */
export function requestOf(
  operation: Described,
  input: Readonly<Record<string, unknown>>,
): { readonly path: string; readonly asking: Asking } {
  const place = (name: string): "path" | "query" | "header" | "body" =>
    operation.parameters.find((each) => each.name === name)?.in ??
    (operation.body === null ? "query" : "body");
  const of = (wanted: string): [string, unknown][] =>
    Object.entries(input).filter(([name]) => place(name) === wanted);
  const path = of("path").reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(String(value))),
    operation.path,
  );
  const query = new URLSearchParams(
    Object.fromEntries(of("query").map(([name, value]) => [name, String(value)])),
  ).toString();
  const headers = Object.fromEntries(of("header").map(([name, value]) => [name, String(value)]));
  const body =
    operation.body === null
      ? { headers }
      : {
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(Object.fromEntries(of("body"))),
        };
  return {
    path: query === "" ? path : `${path}?${query}`,
    asking: { method: operation.method.toUpperCase(), ...body },
  };
}

/** The sample without what may be left away. */
export function requiredOnly(
  operation: Described,
  sample: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const required = [
    ...operation.parameters.filter((each) => each.required).map(({ name }) => name),
    ...(operation.body?.required ?? []),
  ];
  return Object.fromEntries(Object.entries(sample).filter(([name]) => required.includes(name)));
}

/** What the document's own schemas forbid, one thing at a time. */
export function badInputs(
  operation: Described,
  sample: Readonly<Record<string, unknown>>,
): readonly (readonly [string, Readonly<Record<string, unknown>>])[] {
  const fields: readonly (readonly [string, Schema, boolean])[] = [
    ...operation.parameters.map(({ name, schema }) => [name, schema, true] as const),
    ...Object.entries(operation.body?.properties ?? {}).map(
      ([name, schema]) => [name, schema, false] as const,
    ),
  ];
  const wrong = fields.flatMap(([name, schema, text]) =>
    wrongValues(schema, text).map(
      (value) =>
        [`${name}=${JSON.stringify(value).slice(0, 40)}`, { ...sample, [name]: value }] as const,
    ),
  );
  const missing = (operation.body?.required ?? []).map(
    (name) =>
      [
        `no ${name}`,
        Object.fromEntries(Object.entries(sample).filter(([each]) => each !== name)),
      ] as const,
  );
  return [["a field that nobody knows", { ...sample, colour: "red" }], ...wrong, ...missing];
}

function wrongValues(
  { type, enum: values, minimum, maximum, maxLength, pattern }: Schema,
  asText: boolean,
): readonly unknown[] {
  return [
    ...(values === undefined ? [] : ["no-such-value"]),
    ...(type === "integer" || type === "number"
      ? [
          "x",
          ...(minimum === undefined ? [] : [minimum - 1]),
          ...(maximum === undefined || maximum > 1e15 ? [] : [maximum + 1]),
          ...(type === "integer" ? ["1.5"] : []),
        ]
      : []),
    ...(type === "boolean" ? ["perhaps"] : []),
    ...(maxLength === undefined ? [] : ["x".repeat(maxLength + 1)]),
    ...(pattern === undefined
      ? []
      : ["x", " "].filter((each) => !new RegExp(pattern).test(each)).slice(0, 1)),
    ...(asText || type !== "string" ? [] : [7, null, ["x"]]),
  ];
}
