import type { Policy } from "@loopwork/core";
import { type Block, line, type Result } from "../commands/command.ts";
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
      return [line(`the ticket shows it as comment ${echo.comment}`, "dim")];
    case "failed":
      return [
        line(`the ticket does not show it: ${echo.detail}`, "warn"),
        line("→ it is in force all the same; `loop doctor` checks the way to the code host"),
      ];
    case "pending":
      return [line("the ticket will show it once that is carried out", "dim")];
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
      line(
        `${workItem}: handed to instance ${instance}, which works on it and has not answered yet`,
        "warn",
      ),
      line(
        `→ \`loop why ${delivery}\` on that instance shows the outcome; \`loop instances list\` shows whether it runs`,
      ),
    ];
  if (dispatching)
    return [
      line(`${workItem}: stored, and the service has not come to it yet`, "warn"),
      line(`→ \`loop why ${delivery}\` tells what became of it`),
    ];
  return [
    line(`${workItem}: stored, but no service runs that could carry it out`, "warn"),
    line(
      `→ \`loop start\` starts it, and it takes this up; then \`loop why ${delivery}\` tells what became of it`,
    ),
  ];
}
