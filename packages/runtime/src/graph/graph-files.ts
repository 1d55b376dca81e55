/**
 * Reads from disk what the graph is about. A session may have put a link, a pipe or a file of any
 * size anywhere in its checkout.
 */
export type GraphFiles = {
  /** Text of the operator's file of graphs; null where it can't be read. */
  definitions(file: string): Promise<string | null>;
  /** Bytes of an artifact; null where it is no plain file, or larger than a person would read. */
  artifact(file: string): Promise<Uint8Array | null>;
  /** No link leads from the root to the folder below it. */
  isPlainly(root: string, folder: string): Promise<boolean>;
  /** Changes with each change of the file, by a sign that nobody can set; `gone` without one. */
  changeSign(file: string): Promise<string>;
};
