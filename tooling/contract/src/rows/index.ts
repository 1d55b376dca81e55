import type { Row } from "../row.ts";
import { crashRows } from "./crashes.ts";
import { outcomeRows } from "./outcomes.ts";
import { receiptRows } from "./receipts.ts";
import { serviceRows } from "./service.ts";
import { surroundingRows } from "./surroundings.ts";

/** The contract between our adapter and harness A; every row runs against the fixture and against the real program. */
export const rows: readonly Row[] = [...outcomeRows, ...receiptRows, ...crashRows, ...surroundingRows, ...serviceRows];
