import type { Store } from "@loopwork/core/ports";
import { openStore } from "@loopwork/store";
import { openPostgresStore } from "../src/index.ts";

/** Opens a store of either driver. */
export function openAny(
  url: string,
  options: { readonly instance: string; readonly now: () => number },
): Promise<Store> {
  return url.startsWith("sqlite:") ? openStore(url, options) : openPostgresStore(url, options);
}
