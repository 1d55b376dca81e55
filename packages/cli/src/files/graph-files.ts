import { lstat, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { GraphFiles } from "@loopwork/runtime/graph";
import { readPlainFile } from "./plain-file.ts";

/** Bytes of the largest file of graphs that is read. */
const longestGraphs = 4 * 1024 ** 2;
/** Larger files are no artifacts that a person would read. */
const longestArtifact = 2 * 1024 * 1024;

/** What the graph is about, on this machine's disk. */
export const graphFiles: GraphFiles = {
  async definitions(file) {
    const bytes = await readPlainFile(file, longestGraphs, "links");
    return bytes?.toString("utf8") ?? null;
  },
  artifact: (file) => readPlainFile(file, longestArtifact),
  async isPlainly(root, folder) {
    const [top, found] = await Promise.all(
      [root, join(root, folder)].map((path) => realpath(path).catch(() => null)),
    );
    return top != null && found === join(top, folder);
  },
  async changeSign(file) {
    const found = await lstat(file, { bigint: true }).catch(() => null);
    return found === null ? "gone" : `${found.size} ${found.ctimeNs}`;
  },
};
