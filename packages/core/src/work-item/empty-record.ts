import { idleControl, type WorkItem } from "./records.ts";
import type { RefText } from "../ref/ref.ts";

/** The record of an item of which nothing was known. */
export function emptyRecord(ref: RefText): WorkItem {
  return {
    ref,
    hostId: null,
    repositoryId: null,
    type: "issue",
    title: "",
    url: null,
    cloneUrl: null,
    defaultBranch: null,
    open: true,
    armed: false,
    labels: [],
    control: idleControl,
    closeDeferred: false,
    spend: { turns: 0, usd: 0, minutes: 0 },
    hostUpdatedAt: null,
  };
}
