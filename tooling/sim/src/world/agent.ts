import { parseRef } from "@loopwork/core/ports";
import type { Message } from "../harness/transcripts.ts";
import { checkoutOf } from "./workspace.ts";
import type { Process } from "./machine.ts";
import type { World } from "./world.ts";

/** Longest that an agent waits for an answer of the dispatcher, in milliseconds. */
const patienceMs = 30_000;

/**
 * What an agent does in a turn: it pushes and opens a pull request, says something, or only thinks.
 */
export function createAgent(
  worldOf: () => World,
): (process: Process, message: Message, done: () => void) => void {
  let spoken = 0;
  return (process, message, done) => {
    const world = worldOf();
    const { random, scheduler, host, requests } = world;
    const turnDir = process.plan.env["LOOP_TURN_DIR"] ?? "";
    const workItem = parseRef(process.plan.env["LOOP_WORK_ITEM"] ?? "");
    let finished = false;
    const finish = (): void => {
      if (finished || !process.alive()) return;
      finished = true;
      done();
    };
    const ask = (body: Parameters<typeof requests.ask>[1]): void => {
      requests.ask(turnDir, body, () => void scheduler.after(50, finish));
      scheduler.after(patienceMs, finish);
    };
    scheduler.after(random.int(50, 1_000), () => {
      if (!process.alive() || workItem === null) return;
      const draw = random.next();
      const branch = `issue-${workItem.number}`;
      const pull =
        host.repository.items.find((item) => item.pull?.head.ref === branch && item.open) ?? null;
      const standing = world.checkouts.has(checkoutOf(workItem));
      if (draw < 0.2 && standing) {
        if (pull === null)
          ask({
            kind: "link-pr",
            pullRequest: String(host.openPull(branch, "", host.agent).number),
          });
        else {
          host.push(pull, host.agent);
          finish();
        }
        world.checkouts.set(
          checkoutOf(workItem),
          host.repository.items.find((item) => item.pull?.head.ref === branch)?.pull?.head.sha ??
            "",
        );
      } else if (draw < 0.4)
        ask({
          kind: "comment",
          text: `own-${++spoken}-end on ${message.receipt.slice(0, 8)}`,
          on: null,
        });
      else finish();
    });
  };
}
