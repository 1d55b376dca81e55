import { expect, test } from "vitest";
import { filesIn, tryOut } from "../src/example.ts";
import { textOf } from "../src/repository.ts";

const files = filesIn(textOf("docs/writing-an-adapter.md") ?? "");

test(
  "the adapter of the page compiles, and keeps every row of the adapter contract",
  { timeout: 120_000 },
  () => {
    expect(files.map(({ name }) => name)).toEqual([
      "parrot.mjs",
      "adapter.ts",
      "stage.ts",
      "check.ts",
    ]);
    const { complaints, code, printed } = tryOut(files, "check.ts");
    expect(complaints).toEqual([]);
    expect(printed.filter((line) => !line.startsWith("ok   AD-"))).toEqual([]);
    expect(printed.length).toBeGreaterThan(30);
    expect(code).toBe(0);
  },
);

test(
  "the check can fail: an adapter that knows no expired login, and a name that nothing exports",
  { timeout: 120_000 },
  () => {
    const spoiled = files.map(({ name, text }) => ({
      name,
      text:
        name === "adapter.ts"
          ? `${text.replace('told.endsWith("who are you?")', "false")}\nimport type { no } from "@loopwork/core/ports";\n`
          : text,
    }));
    const { complaints, code, printed } = tryOut(spoiled, "check.ts");
    expect(complaints.join()).toContain("no exported member 'no'");
    expect(
      printed.filter((line) => line.startsWith("FAIL")).map((line) => line.split(" ")[1]),
    ).toEqual(["AD-end-05"]);
    expect(code).toBe(1);
  },
);
