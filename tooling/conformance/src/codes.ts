import { filesOf, textOf } from "./repository.ts";

const code = /\bLOOP_[EW]_[A-Z0-9_]{0,60}[A-Z0-9]\b/g;

/**
 * Codes of errors and warnings in a text. What ends in an underscore is the beginning of one and
 * left out.
 */
export function codesIn(text: string): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(code)]
      .filter((match) => text[match.index + match[0].length] !== "_")
      .map((match) => match[0]),
  );
}

/**
 * Every code that the packages can show. The configuration's are put together from the two lists in
 * `problem.ts`.
 */
export function codesOfPackages(): ReadonlySet<string> {
  const sources = filesOf("packages/*/src/**/*.ts").map((file) => textOf(file) ?? "");
  const problem = textOf("packages/core/src/config/problem.ts") ?? "";
  const put = [...problem.matchAll(/^type (Error|Warning)Name =\s([^;]{1,1000});$/gm)].flatMap(
    ([, kind, names]) =>
      [...(names ?? "").matchAll(/"([A-Z_]{1,40})"/g)].map(
        (name) => `LOOP_${kind === "Error" ? "E" : "W"}_CONFIG_${name[1] ?? ""}`,
      ),
  );
  return new Set([...sources.flatMap((text) => [...codesIn(text)]), ...put]);
}
