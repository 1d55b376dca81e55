import { escapeHidden } from "../text/hidden-characters.ts";

/** What is wrong with a configuration, or deserves a warning: where, what, and what to do. */
export type ConfigProblem = {
  /** Path of the key, such as `routing.authorizedUsers[1]`; `""` for the file as a whole. */
  readonly path: string;
  /** 1 and up; null when the problem is not at one place of the file. */
  readonly line: number | null;
  readonly column: number | null;
  readonly code: ConfigCode;
  /** One sentence; never a value of a key that names a secret. */
  readonly message: string;
  readonly hint: string;
};

export type ConfigCode = `LOOP_E_CONFIG_${ErrorName}` | `LOOP_W_CONFIG_${WarningName}`;

type ErrorName =
  | "SYNTAX"
  | "TAB"
  | "TOO_LARGE"
  | "ALIAS"
  | "TAG"
  | "DUPLICATE_KEY"
  | "UNKNOWN_KEY"
  | "TYPE"
  | "RANGE"
  | "VALUE"
  | "MISSING"
  | "SECRET"
  | "CONFLICT"
  | "RULE";
type WarningName = "VALUE" | "RULE";

/** A place in the file, both 1 and up. */
export type Position = { readonly line: number; readonly column: number };

/** A problem at a place of the file. */
export function problemAt(
  at: Position | null,
  path: string,
  code: ConfigCode,
  message: string,
  hint: string,
): ConfigProblem {
  return { path, line: at?.line ?? null, column: at?.column ?? null, code, message, hint };
}

/** One line for people: `file:line:column: path: message. Hint (CODE)`. */
export function formatProblem(problem: ConfigProblem, file: string): string {
  const place = problem.line === null ? file : `${file}:${problem.line}:${problem.column ?? 1}`;
  const path = problem.path === "" ? "" : `${problem.path}: `;
  return `${place}: ${path}${problem.message}; ${problem.hint} (${problem.code})`;
}

/** Outside text inside of a message: short, quoted, on one line, with hidden characters escaped. */
export function quoted(text: string): string {
  return escapeHidden(JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text));
}
