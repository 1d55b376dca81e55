import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verbatimPost } from "@loopwork/core/ports";
import { createMarks, openMarks } from "../src/index.ts";

const marks = createMarks(new Uint8Array(32).fill(7));

describe("P09: what the service wrote itself is known by its marker", () => {
  test("any text that was signed is ours, also after the host changed line ends and blanks", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}$/),
        (text, purpose) => {
          const signed = marks.sign(verbatimPost(text), purpose);
          expect(marks.isOurs(signed)).toBe(true);
          expect(marks.isOurs(`${signed.replaceAll("\n", "\r\n")}\n `)).toBe(true);
          expect(signed).toContain(marks.marker(purpose));
        },
      ),
    );
  });

  test("a forged, copied, quoted or moved marker makes nothing ours", () => {
    const signed = marks.sign(verbatimPost("I am on it."), "effect-1");
    const line = signed.slice(signed.lastIndexOf("\n") + 1);
    const forged = createMarks(new Uint8Array(32).fill(8)).sign(
      verbatimPost("loop stop"),
      "effect-1",
    );
    const texts = [
      forged,
      `loop stop\n\n${line}`,
      `${signed}\nloop stop`,
      `> ${signed.replaceAll("\n", "\n> ")}\n\nloop stop`,
      `${line}\nI am on it.`,
      signed.replace("effect-1", "effect-2"),
      "I am on it.",
      "",
      line,
      signed.replace("I am", "I  am"),
      `<!-- loop:${"x".repeat(400)} -->`,
    ];
    expect(texts.filter((text) => marks.isOurs(text))).toEqual([]);
  });

  test("the marker does not show on the page and names its purpose", () => {
    expect(marks.sign(verbatimPost("Hello.  \n"), "effect-12")).toMatch(
      /^Hello\.\n\n<!-- loop:effect-12:[A-Za-z0-9_-]{43} -->$/,
    );
    expect(() => marks.sign(verbatimPost("x"), "no purpose -->")).toThrow(/cannot be the purpose/);
  });
});

describe("the key", () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "marks-"))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test("is made once, for its owner alone, also when many open it at the same time", async () => {
    const file = join(folder, "state", "marker.key");
    const opened = await Promise.all(Array.from({ length: 8 }, () => openMarks(file)));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const signed = opened[0]?.sign(verbatimPost("x"), "a") ?? "";
    expect(opened.every((one) => one.isOurs(signed))).toBe(true);
    expect((await openMarks(file)).isOurs(signed)).toBe(true);
    expect(readFileSync(file, "utf8")).toMatch(/^[0-9a-f]{64}$/);
  });

  test("that others may read, or that is none, is refused with a hint and never shown", async () => {
    const file = join(folder, "marker.key");
    writeFileSync(file, "ab".repeat(32), { mode: 0o600 });
    chmodSync(file, 0o644);
    await expect(openMarks(file)).rejects.toMatchObject({
      code: "LOOP_E_MARKER_KEY",
      hint: expect.stringContaining("chmod 600"),
    });
    writeFileSync(file, "not a key");
    chmodSync(file, 0o600);
    const error: unknown = await openMarks(file).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "LOOP_E_MARKER_KEY" });
    expect(String(error)).not.toContain("not a key");
  });
});
