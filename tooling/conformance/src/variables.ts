import { blocksOf } from "./markdown.ts";
import { filesOf, textOf } from "./repository.ts";

/**
 * Variables of ours that a text names; codes of errors and warnings look like them and are none.
 */
export function variablesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/\bLOOP_(?!E_|W_)[A-Z0-9_]{1,60}\b/g)].map(([name]) => name));
}

/**
 * Names that a configuration on the page gives to variables of its reader's own: the values of keys
 * like `secretEnv`.
 */
export function namedByConfiguration(page: string): ReadonlySet<string> {
  const texts = blocksOf(page)
    .filter(({ language }) => language === "yaml")
    .map(({ text }) => text);
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/\b\w{1,40}Env: ["']?([A-Z][A-Z0-9_]{1,60})/g)].map(
        ([, name = ""]) => name,
      ),
    ),
  );
}

/**
 * Every variable of ours that a program, a tool or a test of the repository reads or sets; what is
 * said here of pages aside.
 */
export function knownVariables(): ReadonlySet<string> {
  const sources = [
    ...filesOf("packages/*/{src,test}/**/*.{ts,tsx}"),
    ...filesOf("tooling/*/{src,test}/**/*.{ts,mjs}"),
    ...filesOf("tooling/*/*.ts"),
    ...filesOf("plugins/loop/hooks/**/*"),
    "tooling/bootstrap/main.mjs",
    "package.json",
  ].filter((file) => !file.startsWith("tooling/conformance/"));
  return new Set(sources.flatMap((file) => [...variablesIn(textOf(file) ?? "")]));
}
