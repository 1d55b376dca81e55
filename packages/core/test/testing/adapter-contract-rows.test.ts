import { describe, expect, test } from "vitest";
import { adapterContract } from "../../src/testing/adapter/index.ts";
import type { AdapterRow } from "../../src/testing/adapter/row.ts";
import type { AdapterStage } from "../../src/testing/adapter/stage.ts";
import { modest } from "./modest-harness.ts";
import { openTinyStage } from "./tiny-harness.ts";
import { watched } from "./watched-stage.ts";

const stages: readonly (readonly [name: string, open: () => AdapterStage])[] = [
  ["receipts", () => openTinyStage({ receipts: true })],
  ["no-receipts", () => openTinyStage({ receipts: false })],
  ["modest", () => modest(openTinyStage({ receipts: false }))],
];

/** What a row asks and does, in its order. */
async function asked(row: AdapterRow, open: () => AdapterStage): Promise<readonly string[]> {
  const lines: string[] = [];
  await row.run(
    watched(
      open(),
      (what, words, answer) => {
        // What a child printed and how it ended stand in what its outcome is judged by.
        const again =
          what === "exit" || (what === "signal" && /^(?:some words|\{"line".*)$/.test(words));
        if (!again) lines.push(`  ${what} ${words}`.trimEnd());
        return answer;
      },
      (what) => lines.push(`  ${what}`),
    ),
  );
  return lines;
}

describe("what the rows ask of an adapter that is right is on record", () => {
  test.each(stages)("%s", async (name, open) => {
    const text: string[] = [];
    for (const row of adapterContract(open().turns.capabilities))
      text.push(`${row.id} ${row.title}`, ...(await asked(row, open)), "");
    await expect(text.join("\n")).toMatchFileSnapshot(`adapter-contract-${name}.txt`);
  });
});
