import type { Finding } from "./finding.ts";
import type { Reading, Target } from "./side.ts";

/** What maintenance needs of a driver in a package of its own, such as `@loopwork/store-postgres`. */
export type MaintenanceDriver = {
  /** What people may see of the URL; throws `LOOP_E_STORE_URL` without echoing it. */
  placeOf(url: string): string;
  openSource(url: string, options: SourceOptions): Promise<Reading>;
  openTarget(url: string, options: TargetOptions): Promise<Target>;
  /** What the server says of its own tables and indexes. */
  checkServer(reading: Reading): Promise<ServerCheck>;
};

export type SourceOptions = {
  /** The command, as the server's list of connections shows it. */
  readonly name: string;
  /**
   * Only while no service is connected, and kept from being written for as long as it is open, so
   * that nothing is accepted that a copy would not have.
   */
  readonly alone: boolean;
};

export type TargetOptions = {
  readonly name: string;
  /** The place of the source. */
  readonly from: string;
  readonly startOver: boolean;
  /** Puts rows where services look at once, instead of beside it: for tests of what guards it. */
  readonly inPlace?: boolean;
};

export type ServerCheck = {
  readonly findings: readonly Finding[];
  /** What could not be looked at, and why. */
  readonly notes: readonly string[];
};
