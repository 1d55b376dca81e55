import type { HarnessCapabilities } from "../../ports/harness.ts";
import { conversationRows } from "./conversations.ts";
import { endRows } from "./ends.ts";
import { hookRows } from "./hooks.ts";
import { receiptRows } from "./receipts.ts";
import type { AdapterRow } from "./row.ts";

/**
 * The adapter contract: what the service relies on, whatever the harness. An adapter with these
 * capabilities keeps every row of the answer. What one claims and what it disclaims have rows of
 * their own, so that nothing is skipped.
 */
export function adapterContract(capabilities: HarnessCapabilities): readonly AdapterRow[] {
  return adapterRows.filter((row) => row.fits(capabilities));
}

/** Every row, also those that exclude each other. */
export const adapterRows: readonly AdapterRow[] = [
  ...conversationRows,
  ...endRows,
  ...receiptRows,
  ...hookRows,
];
