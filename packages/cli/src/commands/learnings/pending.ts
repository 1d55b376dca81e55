import { clustersOf, opensAt } from "@loopwork/core/learnings";
import type { Ports } from "../../ports/command-ports.ts";
import { Command } from "../command.ts";
import type { Call } from "../../io/call.ts";
import { done, type Result } from "../../output/result.ts";
import { refusedData, refusedLines } from "../../views/refused-files-view.ts";

/**
 * `loop learnings pending`: what was noted and has not passed the gate, with how often it was met.
 */
export default class LearningsPendingCommand extends Command {
  override async run(_call: Call, ports: Ports): Promise<Result> {
    const { candidates, refused } = await (await ports.learnings()).pending();
    const clusters = clustersOf(candidates.map(({ candidate }) => candidate));
    const rows = clusters.map(({ medoid, seen }) => [
      `${seen} of ${opensAt}`,
      medoid.category,
      medoid.signal.kind,
      medoid.text,
    ]);
    return done(
      { clusters, refused: refusedData(refused) },
      {
        kind: "table",
        columns: ["seen", "category", "signal", "text"],
        rows,
        empty: "No pending candidates",
      },
      ...refusedLines(refused),
    );
  }
}
