import { chmodSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readOrMakeToken, readToken } from "../../src/start/token-file.ts";
import { createScene } from "../support/scene.ts";

const codeOf = (call: () => unknown): string => {
  try {
    call();
    return "no error";
  } catch (error) {
    return error instanceof Error && "code" in error
      ? `${String(error.code)} ${error.message}`
      : String(error);
  }
};

describe("A03 the token file", () => {
  test("is made once, for its owner alone, and nothing is left beside it", () => {
    const { dir } = createScene();
    const file = join(dir, "state", "token");
    expect(readToken(file)).toBeNull();
    const token = readOrMakeToken(file);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir, "state")).mode & 0o777).toBe(0o700);
    expect(readOrMakeToken(file)).toBe(token);
    expect(readToken(file)).toBe(token);
    expect(readdirSync(join(dir, "state"))).toEqual(["token"]);
  });

  test.each([0o640, 0o604, 0o644, 0o666, 0o620])("with the mode %o is refused", (mode) => {
    const file = join(createScene().dir, "token");
    readOrMakeToken(file);
    chmodSync(file, mode);
    expect(codeOf(() => readOrMakeToken(file))).toMatch(/^LOOP_E_TOKEN_FILE others can read/);
    expect(codeOf(() => readToken(file))).toMatch(/^LOOP_E_TOKEN_FILE/);
  });

  test.each(["", "short\n", "two words that are together long enough\n", `${"x".repeat(600)}\n`])(
    "that holds %j is refused: it would let anybody in, or nobody",
    (text) => {
      const file = join(createScene().dir, "token");
      writeFileSync(file, text, { mode: 0o600 });
      expect(codeOf(() => readOrMakeToken(file))).toMatch(/^LOOP_E_TOKEN_FILE .*holds no token/);
    },
  );

  test("that is a link is refused, and so is a folder that cannot be written", () => {
    const { dir } = createScene();
    readOrMakeToken(join(dir, "other"));
    symlinkSync(join(dir, "other"), join(dir, "token"));
    expect(codeOf(() => readOrMakeToken(join(dir, "token")))).toMatch(/^LOOP_E_TOKEN_FILE/);
    writeFileSync(join(dir, "plain"), "");
    expect(codeOf(() => readOrMakeToken(join(dir, "plain", "token")))).toMatch(
      /^LOOP_E_TOKEN_FILE/,
    );
  });
});
