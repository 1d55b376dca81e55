/**
 * Where what belongs to the learnings of one repository stands outside of it, as absolute paths.
 */
export type Places = {
  /** Folder of candidates. */
  readonly queue: string;
  /** Folder of what consolidations did, a file a checkout. */
  readonly journal: string;
  /**
   * File with the highest id that was ever given, in whichever checkout: two branches that are open
   * at once must not give one twice.
   */
  readonly ids: string;
  /**
   * Folder of candidates whose learnings are not merged yet; null where the files are a person's to
   * commit.
   */
  readonly carried: string | null;
  /** Whether the repository of a checkout has chosen loop: nothing is written into any other. */
  readonly isChosen: (root: string) => Promise<boolean>;
};
