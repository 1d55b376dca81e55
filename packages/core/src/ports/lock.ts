/** One exclusive right, held by one process until it releases it or dies. */
export interface Lock {
  /**
   * Resolves to the held lock, or to null when another live process holds it. `name` fits
   * `[a-z0-9][a-z0-9._-]{0,120}`.
   */
  acquire(name: string): Promise<HeldLock | null>;
}

export interface HeldLock {
  readonly name: string;
  release(): Promise<void>;
}
