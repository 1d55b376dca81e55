import { resolve } from "node:path";
import { StoreError } from "../errors.ts";

/** Where a store that is kept stands. */
export type Location =
  | { readonly driver: "sqlite"; readonly file: string }
  | { readonly driver: "postgres"; readonly url: string };

/** Reads a store's URL; throws `LOOP_E_STORE_URL`, without echoing what could be a password. */
export function locationOf(url: string): Location {
  if (url.startsWith("sqlite:") && url.length > "sqlite:".length)
    return { driver: "sqlite", file: resolve(url.slice("sqlite:".length)) };
  if (url.startsWith("postgres:") || url.startsWith("postgresql:"))
    return { driver: "postgres", url };
  throw new StoreError(
    "LOOP_E_STORE_URL",
    "The URL names no store that is kept.",
    "Use sqlite:<path of a file> or postgres://user:password@server/database.",
  );
}
