import { createHmac } from "node:crypto";
import { readSecret } from "@loopwork/core/ports";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createVerifier, formatSignature, isWellFormed } from "../src/signature.ts";

const bodies = fc.uint8Array({ maxLength: 200 });
/** What can be a secret: texts without control characters, and without blanks around them. */
const secrets = fc
  .string({ minLength: 1, maxLength: 80 })
  .filter((text) => readSecret(text).kind === "set");

test("a signature is HMAC-SHA256 of the bytes with the secret's UTF-8", () => {
  fc.assert(
    fc.property(bodies, secrets, (body, secret) => {
      expect(formatSignature(body, secret)).toBe(
        `sha256=${createHmac("sha256", Buffer.from(secret, "utf8")).update(body).digest("hex")}`,
      );
    }),
  );
});

test("R16 whichever of the valid secrets signed, it holds; another never does", () => {
  fc.assert(
    fc.property(
      bodies,
      fc.uniqueArray(secrets, {
        minLength: 2,
        maxLength: 4,
        comparator: (one, other) => one === other,
      }),
      (body, [other = "", ...valid]) => {
        const verifier = createVerifier(valid);
        for (const secret of valid)
          expect(verifier.verify(body, formatSignature(body, secret)).kind).toBe("good");
        expect(verifier.verify(body, formatSignature(body, other)).kind).toBe("wrong");
      },
    ),
  );
});

test("R01 no text whatever makes verifying throw, and only one form is looked at", () => {
  const verifier = createVerifier(["secret"]);
  const texts = fc.oneof(
    fc.string({ unit: "binary", maxLength: 100 }),
    fc.stringMatching(/^sha256=[0-9a-fA-F]{60,68}$/),
  );
  fc.assert(
    fc.property(texts, bodies, (signature, body) => {
      expect(verifier.verify(body, signature).kind).toBe(
        /^sha256=[0-9a-f]{64}$/.test(signature) ? "wrong" : "malformed",
      );
      expect(isWellFormed(signature)).toBe(/^sha256=[0-9a-f]{64}$/.test(signature));
    }),
  );
});
