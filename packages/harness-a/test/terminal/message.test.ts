import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { leadOf, writtenOf } from "../../src/terminal/message.ts";

const receipt = "11111111-2222-4333-8444-555555555555";
const prompt = "Work item: x\n\nTask:\n- do it\n";
const lead = leadOf(receipt);

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
    [`${leadOf("99999999-2222-4333-8444-555555555555")}[Pasted text #1 +8 lines]`, "foreign"],
  ])("%j is %s", (input, written) => {
    expect(writtenOf(input, receipt, prompt)).toBe(written);
  });

  test("whatever somebody types around our words is somebody's text", () => {
    fc.assert(fc.property(fc.string({ minLength: 1 }).filter((text) => text.trim() !== ""), (text) => {
      expect(writtenOf(`${text}${lead}`, receipt, prompt)).toBe("foreign");
    }));
  });
});
