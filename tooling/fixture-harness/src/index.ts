import { fileURLToPath } from "node:url";

/**
 * Programs that keep the contract of the real harnesses; both run on any Node from 20 on and import
 * nothing.
 */
export const fixtureClaude: string = fileURLToPath(
  new URL("../bin/fixture-claude", import.meta.url),
);
export const fixtureCursor: string = fileURLToPath(
  new URL("../bin/fixture-cursor", import.meta.url),
);
