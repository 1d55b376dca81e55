import { adapterContract } from "@loopwork/core/testing";
import { capabilities } from "@loopwork/harness-a";
import type { Row } from "../row.ts";
import { onHarnessA } from "../stages/harness-a.ts";
import { crashRows } from "./crashes.ts";
import { forkRows } from "./fork.ts";
import { hookRows } from "./hooks.ts";
import { learnRows } from "./learn.ts";
import { oneShotRows } from "./one-shots.ts";
import { orderRows } from "./orders.ts";
import { outcomeRows } from "./outcomes.ts";
import { pluginRows } from "./plugin.ts";
import { receiptRows } from "./receipts.ts";
import { serviceRows } from "./service.ts";
import { stopGateRows } from "./stop-gate.ts";
import { surroundingRows } from "./surroundings.ts";
import { troubleRows } from "./troubles.ts";

/**
 * The adapter contract on harness A, and what is harness A's alone; every row runs against the
 * fixture and against the real program.
 */
export const rows: readonly Row[] = [
  ...adapterContract(capabilities).map(onHarnessA),
  ...outcomeRows,
  ...oneShotRows,
  ...orderRows,
  ...receiptRows,
  ...crashRows,
  ...surroundingRows,
  ...pluginRows,
  ...hookRows,
  ...learnRows,
  ...stopGateRows,
  ...serviceRows,
  ...troubleRows,
  ...forkRows,
];
