import type { Block } from "../output/result.ts";
import { powerWords, type Review } from "./review-config.ts";

/**
 * A review for a person: where the token goes, then every key that matters with its value, or with
 * both where it changed.
 */
export function reviewBlocks(
  { file, keys, token, paths, warnings }: Review,
  isChange: boolean,
): readonly Block[] {
  const [strong, harmless] = [
    keys.filter(({ power }) => power !== "none"),
    keys.filter(({ power }) => power === "none"),
  ];
  const rows = [...strong, ...harmless].map(({ path, power, before, value }) => [
    path,
    powerWords[power],
    ...(isChange ? [shown(path, before)] : []),
    shown(path, value),
  ]);
  return [
    {
      kind: "fields",
      rows: [
        ["file", file],
        ["token", escaped(`${token.variable} is sent to ${token.address}`)],
        ["state", escaped(paths.stateRoot)],
        ["env file", escaped(paths.envFile ?? "none")],
      ],
    },
    { kind: "heading", text: isChange ? "Changed since you trusted it" : "What it sets" },
    {
      kind: "table",
      columns: isChange ? ["key", "effect", "trusted", "now"] : ["key", "effect", "value"],
      rows,
      empty: isChange
        ? "No setting: only comments or layout"
        : "Nothing: all keys have their defaults",
    },
    ...warnings.map((text): Block => ({ kind: "line", text: escaped(`! ${text}`), tone: "warn" })),
  ];
}

/**
 * What can run is shown to its end. Only a long text for prompts must not push the others off the
 * screen.
 */
function shown(path: string, value: unknown): string {
  const text = escaped(JSON.stringify(value) ?? "nothing");
  return path !== "promptTemplate" || text.length <= longest
    ? text
    : `${text.slice(0, longest)}… (${text.length - longest} more characters: read the file)`;
}

const longest = 300;

/**
 * Characters that nobody sees, or that turn the direction of what follows, would let a value look
 * like another.
 */
function escaped(text: string): string {
  return text.replace(
    /[\p{Cf}\p{Zl}\p{Zp}]/gu,
    (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
