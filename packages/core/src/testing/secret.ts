import { readSecret, type SecretValue } from "../config/secret-value.ts";

/** A secret of a test; throws for a text that cannot be one. */
export function secretOf(text: string): SecretValue {
  const reading = readSecret(text);
  if (reading.kind !== "set") throw new Error(`${JSON.stringify(text)} is no secret`);
  return reading.value;
}
