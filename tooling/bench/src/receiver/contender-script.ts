import { fileURLToPath } from "node:url";

/** The program of one of our own contenders. */
export function contenderScript(name: string): string {
  return fileURLToPath(new URL(`./contenders/${name}.ts`, import.meta.url));
}
