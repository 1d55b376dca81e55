import type { Json } from "./defaults.ts";
import { kindOf, type Located } from "./document.ts";
import { checkForm } from "./form.ts";
import { nearest } from "./nearest.ts";
import { type ConfigCode, type ConfigProblem, problemAt, quoted } from "./problem.ts";
import type {
  BooleanNode,
  EnumNode,
  IntegerNode,
  NumberNode,
  Scalar,
  StringNode,
} from "./schema/node.ts";

/** A value out of the file; `undefined` when it cannot be used. */
export type Reading = {
  readonly value: Json | undefined;
  readonly errors: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
};

/** Reads one boolean, number, string or choice. */
export function readScalar(located: Located, node: Scalar, path: string): Reading {
  if (located.kind !== "scalar")
    return refuse(
      located,
      path,
      "TYPE",
      `must be ${wanted(node)}, not ${kindOf(located)}`,
      "write one value",
    );
  if (located.value === null) {
    if (node.default === null) return { value: null, errors: [], warnings: [] };
    return refuse(
      located,
      path,
      "TYPE",
      "has no value",
      `write ${wanted(node)}, or remove the key`,
    );
  }
  switch (node.type) {
    case "boolean":
      return readBoolean(located, node, path);
    case "integer":
    case "number":
      return readNumber(located, node, path);
    case "string":
      return readString(located, node, path);
    case "enum":
      return readEnum(located, node, path);
  }
}

type ScalarText = Extract<Located, { readonly kind: "scalar" }>;

function readBoolean(located: ScalarText, node: BooleanNode, path: string): Reading {
  if (typeof located.value === "boolean") return { value: located.value, errors: [], warnings: [] };
  return refuse(
    located,
    path,
    "TYPE",
    `must be ${wanted(node)}, not ${kindOf(located)}`,
    "write true or false, without quotes; yes and on are text",
  );
}

const integer = /^-?(?:0|[1-9][0-9]{0,15})$/;
const decimal = /^-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,15})?$/;

/** Numbers are written in plain decimal digits: 1e3, 0x10 and "8787" are errors, not guesses. */
function readNumber(located: ScalarText, node: IntegerNode | NumberNode, path: string): Reading {
  const grammar = node.type === "integer" ? integer : decimal;
  if (typeof located.value !== "number") {
    const hint =
      !located.plain && grammar.test(located.source)
        ? "remove the quotes"
        : `write a number from ${node.min} to ${node.max}`;
    return refuse(located, path, "TYPE", `must be ${wanted(node)}, not ${kindOf(located)}`, hint);
  }
  if (!grammar.test(located.source)) {
    const hint = Number.isSafeInteger(located.value)
      ? `write it out such as ${located.value}`
      : `write a number from ${node.min} to ${node.max}`;
    return refuse(located, path, "TYPE", `must be ${wanted(node)} in plain decimal digits`, hint);
  }
  if (located.value < node.min || located.value > node.max)
    return refuse(
      located,
      path,
      "RANGE",
      `${quoted(located.source)} is not within ${node.min} and ${node.max}`,
      `choose a number from ${node.min} to ${node.max}`,
    );
  return { value: located.value, errors: [], warnings: [] };
}

function readString(located: ScalarText, node: StringNode, path: string): Reading {
  if (typeof located.value !== "string")
    return refuse(
      located,
      path,
      "TYPE",
      `must be text, not ${kindOf(located)}`,
      node.form === "variable"
        ? "write the NAME of a variable"
        : `write it in quotes: "${located.source.slice(0, 40)}"`,
    );
  const fault = checkForm(node.form, located.value);
  if (fault === null) return { value: located.value, errors: [], warnings: [] };
  if (fault.secret === true) return refuse(located, path, "SECRET", fault.message, fault.hint);
  return refuse(located, path, "VALUE", `${quoted(located.value)} ${fault.message}`, fault.hint);
}

function readEnum(located: ScalarText, node: EnumNode, path: string): Reading {
  const text = typeof located.value === "string" ? located.value : located.source;
  if (node.values.includes(text)) return { value: text, errors: [], warnings: [] };
  const near = nearest(text, node.values);
  const hint = near === null ? `choose one of ${node.values.join(", ")}` : `did you mean ${near}?`;
  if (node.unknown === "warn") {
    return {
      value: node.default,
      errors: [],
      warnings: [
        problemAt(
          located.at,
          path,
          "LOOP_W_CONFIG_VALUE",
          `${quoted(text)} is not known and means ${node.default ?? "nothing"}`,
          hint,
        ),
      ],
    };
  }
  return refuse(
    located,
    path,
    "VALUE",
    `${quoted(text)} is not one of ${node.values.join(", ")}`,
    hint,
  );
}

function wanted(node: Scalar): string {
  switch (node.type) {
    case "boolean":
      return "true or false";
    case "integer":
      return "a whole number";
    case "number":
      return "a number";
    case "string":
      return "text";
    case "enum":
      return `one of ${node.values.join(", ")}`;
  }
}

function refuse(
  located: Located,
  path: string,
  code: "TYPE" | "RANGE" | "VALUE" | "SECRET",
  message: string,
  hint: string,
): Reading {
  const full: ConfigCode = `LOOP_E_CONFIG_${code}`;
  return {
    value: undefined,
    errors: [problemAt(located.at, path, full, message, hint)],
    warnings: [],
  };
}
