import type { CheckoutRequest, Message } from "@loopwork/core/ports";
import type { Budget } from "./checkout-size-limit.ts";
import type { CleanConfigs } from "./clean-config.ts";
import type { Fetches } from "./fetches.ts";
import type { Git } from "./git.ts";
import type { Layout } from "./layout.ts";
import type { Lender } from "./lender.ts";
import type { Own } from "./own-repository.ts";
import type { Warm } from "./pool.ts";
import type { Remote } from "./remote.ts";

/**
 * One checkout in the making. `notes` collects what the session and a person may want to know,
 * `hardened` what was taken out of the clone's configuration; `askedAt` is of `performance.now()`.
 */
export type Making = {
  readonly git: Git;
  readonly own: Own;
  readonly layout: Layout;
  readonly remote: Remote;
  readonly request: CheckoutRequest;
  readonly notes: Message[];
  readonly hardened: string[];
  readonly fetches: Fetches;
  readonly askedAt: number;
  readonly clean: CleanConfigs;
  /** Whose objects a clone of its own borrows. */
  readonly lender: Lender;
  /** A warm worktree that was picked for this checkout. */
  warm: Warm | null;
  /** The most that the checkout may hold, and what commits were found to hold. */
  readonly budget: Budget;
  readonly measured: Map<string, Budget>;
  /**
   * Commits of refs as they were fetched or first asked for after that; null for one that there
   * is not.
   */
  readonly ids: Map<string, string | null>;
  /** What the remote said that its default branch is; null while nobody asked. */
  readonly asked: { defaultBranch: string | null };
};
