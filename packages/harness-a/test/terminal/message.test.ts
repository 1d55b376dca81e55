import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { leadOf, writtenOf } from "../../src/terminal/message.ts";

const receipt = "11111111-2222-4333-8444-555555555555";
const prompt = "Work item: x\n\nTask:\n- do it\n";
const lead = leadOf(receipt);
const older = leadOf("99999999-2222-4333-8444-555555555555");

describe("what stands in the input line", () => {
  test.each([
    ["", "nothing"],
    [lead, "lead"],
    [`${lead}[Pasted text #12 +8 lines]`, "whole"],
    [`${lead}[Pasted text #3]`, "whole"],
    [`${lead}${prompt}`, "whole"],
    [`${lead.slice(0, 60)}\n  ${lead.slice(60)}[Pasted text\n  #12 +8 lines]`, "whole"],
    ["half a thought", "foreign"],
    [lead.slice(0, -1), "foreign"],
    [`half ${lead}`, "foreign"],
    [`${lead}[Pasted text #1 +8 lines] and more`, "foreign"],
    [`${lead}[Pasted text #1 +8 lines][Pasted text #2 +8 lines]`, "foreign"],
    [older, "left"],
    [`${older}[Pasted text #1 +8 lines]`, "left"],
    [`${older.slice(0, 40)}\n  ${older.slice(40)}[Pasted text #1]`, "left"],
    [older.slice(0, -1), "foreign"],
    [`${older} why that?`, "foreign"],
    [`half ${older}`, "foreign"],
    [`${older}[Pasted text #1 +8 lines] and more`, "foreign"],
    [`${older}[Pasted text #1 +8 lines][Pasted text #2 +8 lines]`, "foreign"],
    [`${older}${lead}`, "foreign"],
    [leadOf("no-receipt-but-as-long-as-one-of-ours"), "foreign"],
  ])("%j is %s", (input, written) => {
    expect(writtenOf(input, receipt, prompt)).toBe(written);
  });

  test("whatever somebody types around our words is somebody's text", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((text) => text.trim() !== ""),
        (text) => {
          for (const words of [lead, older])
            expect(writtenOf(`${text}${words}`, receipt, prompt)).toBe("foreign");
        },
      ),
    );
  });

  test("nor is a message of ours any longer ours alone with anything behind it", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((text) => text.trim() !== ""),
        (text) => {
          expect(writtenOf(`${older}${text}`, receipt, prompt)).toBe("foreign");
        },
      ),
    );
  });
});
