import { expect, test } from "vitest";
import { defaultWords, reasons, remedyOf, sentenceOf } from "@loopwork/core";
import { eventKinds } from "@loopwork/core/ports";
import { rowsOf } from "../src/markdown.ts";
import { textOf } from "../src/repository.ts";

test("the page of events has every kind in the order of the list, each with a meaning", () => {
  const rows = rowsOf(textOf("docs/events.md") ?? "").filter(
    ([kind]) => kind?.startsWith("`") === true,
  );
  expect(rows.map(([kind]) => kind?.replaceAll("`", ""))).toEqual([...eventKinds]);
  for (const [kind, meaning = ""] of rows) expect(meaning.length, kind ?? "").toBeGreaterThan(10);
});

/** The page, made from the sentences; `vitest run --project conformance -u` writes it anew. */
function pageOfReasons(): string {
  return [
    "# Reasons: why a decision is what it is",
    "",
    "`loop why` prints the sentence and what to do next, `loop events` the name. Keywords and label stand here as they are unless the",
    "configuration changes them. Made from `packages/core/src/control/reason-sentences.ts`; a test fails when the two differ.",
    "",
    "| reason | sentence | what to do next |",
    "|---|---|---|",
    ...reasons.map(
      (reason) =>
        `| \`${reason}\` | ${sentenceOf(reason, defaultWords)} | ${remedyOf(reason, defaultWords) ?? ""} |`,
    ),
    "",
  ].join("\n");
}

test("the page of reasons is made from the sentences", async () => {
  await expect(pageOfReasons()).toMatchFileSnapshot("../../../docs/reasons.md");
});
