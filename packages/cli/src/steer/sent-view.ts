import type { Policy } from "@loopwork/core";
import { type Block, line, type Result } from "../output/result.ts";
import { outcomeOf, type SentOutcome } from "./outcome.ts";
import type { SentControl } from "./send-control.ts";

/**
 * What became of a request, for people and for programs. Exit 0 when it is done or safely stored, 1
 * when it was refused.
 */
export function sentResult(sent: SentControl, policy: Policy): Result {
  const { workItem, delivery, instance, decision, dispatching, echo } = sent;
  const outcome = outcomeOf(sent, policy);
  const data = {
    workItem,
    delivery,
    instance,
    state: outcome.state,
    verdict: decision?.verdict.kind ?? null,
    reason: outcome.reason,
    dispatching,
    echo,
  };
  return {
    exit: outcome.state === "refused" ? 1 : 0,
    data,
    view: outcome.state === "stored" ? waitingView(sent) : decidedView(sent, outcome),
  };
}

function decidedView(
  { workItem, echo, instance, elsewhere }: SentControl,
  { state, sentence, remedy }: SentOutcome,
): readonly Block[] {
  const by = elsewhere ? ` (instance ${instance})` : "";
  return [
    line(`${workItem}${by}: ${sentence ?? ""}`, state === "refused" ? "warn" : "good"),
    ...(remedy === null ? [] : [line(`→ ${remedy}`)]),
    ...echoView(echo),
  ];
}

function echoView(echo: SentControl["echo"]): readonly Block[] {
  switch (echo?.state) {
    case undefined:
      return [];
    case "posted":
      return [line(`Posted on the work item (comment ${echo.comment})`, "dim")];
    case "failed":
      return [
        line(`Not posted on the work item: ${echo.detail}`, "warn"),
        line(
          "→ It takes effect anyway. Run `loop doctor` to check the connection to the code host.",
        ),
      ];
    case "pending":
      return [line("It will be posted on the work item.", "dim")];
  }
}

/** Nothing is lost by a service that is down, and it must not look as if it were done. */
function waitingView({
  workItem,
  delivery,
  dispatching,
  instance,
  elsewhere,
}: SentControl): readonly Block[] {
  if (elsewhere)
    return [
      line(`${workItem}: sent to instance ${instance}, which hasn't answered yet`, "warn"),
      line(
        `→ Run \`loop why ${delivery}\` on that instance for the outcome, and \`loop instances list\` to see whether it is running`,
      ),
    ];
  if (dispatching)
    return [
      line(`${workItem}: queued`, "warn"),
      line(`→ Run \`loop why ${delivery}\` for the outcome`),
    ];
  return [
    line(`${workItem}: queued, but the service isn't running`, "warn"),
    line(`→ Run \`loop start\`, then \`loop why ${delivery}\` for the outcome`),
  ];
}
