import { type JsonSchema, type Operation, pathFields } from "../start/remote.ts";

/** A command that asks an operation. `fixed` is what its words already say. */
export type RemoteCommand = {
  readonly words: string;
  readonly summary: string;
  readonly operation: Operation;
  readonly fixed: Readonly<Record<string, string>>;
  readonly args: readonly Field[];
  readonly options: readonly Field[];
};
export type Field = {
  readonly name: string;
  /** As it is typed: `work-item` for `workItem`. */ readonly typed: string;
  readonly schema: JsonSchema;
};

type Words = {
  readonly words: string;
  readonly operation: string;
  readonly fixed?: Readonly<Record<string, string>>;
  readonly typed?: Readonly<Record<string, string>>;
};

/** Words that people know from the commands here; every operation has its own name as well. */
const familiar: readonly Words[] = [
  { words: "status", operation: "list-waiting" },
  { words: "instances", operation: "show-instance" },
  { words: "why", operation: "why-delivery" },
  { words: "events", operation: "list-events", typed: { kind: "type" } },
  { words: "sessions show", operation: "show-work-item" },
  { words: "sessions list", operation: "list-sessions" },
  ...(["start", "pause", "resume", "stop", "cleanup"] as const).map((verb) => ({
    words: `sessions ${verb}`,
    operation: "control-work-item",
    fixed: { verb },
  })),
  { words: "sessions say", operation: "say" },
  { words: "sessions register", operation: "register-session" },
  { words: "sessions close", operation: "close-session" },
  { words: "sessions link-pr", operation: "link-pull-request" },
  { words: "turns list", operation: "list-turns" },
  { words: "turns retry", operation: "retry-turn" },
  { words: "turns drop", operation: "drop-turn" },
];

/**
 * The projection of the table on a command line: fields of the path and those that must be given
 * are arguments, the rest options.
 */
export function remoteCommands(operations: readonly Operation[]): readonly RemoteCommand[] {
  const own = operations.map(({ name }): Words => ({ words: name, operation: name }));
  return [...own, ...familiar].flatMap(({ words, operation: name, fixed = {}, typed = {} }) => {
    const operation = operations.find((each) => each.name === name);
    if (operation === undefined) return [];
    const inPath = pathFields(operation.route.path);
    const required = Array.isArray(operation.input["required"]) ? operation.input["required"] : [];
    const fields = fieldsOf(operation.input)
      .filter((field) => fixed[field.name] === undefined)
      .map((field) => ({ ...field, typed: typed[field.name] ?? field.typed }));
    const isArgument = (field: Field): boolean =>
      inPath.includes(field.name) || required.includes(field.name);
    return [
      {
        words,
        summary: operation.summary,
        operation,
        fixed,
        args: fields.filter(isArgument),
        options: fields.filter((field) => !isArgument(field)),
      },
    ];
  });
}

function fieldsOf({ properties }: JsonSchema): readonly Field[] {
  if (typeof properties !== "object" || properties === null) return [];
  return Object.entries(properties).flatMap(([name, schema]): readonly Field[] =>
    typeof schema === "object" && schema !== null
      ? [
          {
            name,
            typed: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
            schema: { ...schema },
          },
        ]
      : [],
  );
}

/**
 * What was typed, as the schema's type has it; what does not fit stays text, and the service says
 * what is wrong with it.
 */
export function valueOf(text: string, { type }: JsonSchema): string | number | boolean {
  if ((type === "integer" || type === "number") && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

export function describeField({ schema }: Field): string {
  const { description, enum: values } = schema;
  return Array.isArray(values) && values.length <= 8
    ? values.join(", ")
    : typeof description === "string"
      ? description
      : "";
}
