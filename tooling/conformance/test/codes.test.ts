import { expect, test } from "vitest";
import { codesIn, codesOfPackages } from "../src/codes.ts";
import { rowsOf } from "../src/markdown.ts";
import { textOf } from "../src/repository.ts";

const page = textOf("docs/errors.md") ?? "";
const documented = rowsOf(page).filter(([code]) => code?.startsWith("`LOOP_") === true);

test("every code of the packages stands in the page, and no other", () => {
  const codes = codesOfPackages();
  expect(codes.size).toBeGreaterThan(80);
  expect(documented.map(([code]) => code?.replaceAll("`", "")).toSorted()).toEqual(
    [...codes].toSorted(),
  );
});

test("every code has a meaning and a remedy", () => {
  for (const row of documented)
    expect(
      row.filter((cell) => cell.length > 3),
      row[0] ?? "",
    ).toHaveLength(3);
});

test("the check can fail: it reads codes as they stand, and not their beginnings", () => {
  expect([
    ...codesIn('throw new LoopError("LOOP_E_NEW_THING", …); `LOOP_E_CONFIG_${name}` LOOP_W_SMALL'),
  ]).toEqual(["LOOP_E_NEW_THING", "LOOP_W_SMALL"]);
});
