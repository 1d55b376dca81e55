import { type Policy, remedyOf, sentenceOf } from "@loopwork/core";
import { type Block, line, type Result } from "../commands/command.ts";
import type { SentControl } from "./send-control.ts";

/** What became of a request, for people and for programs. Exit 0 when it is done or safely stored, 1 when it was refused. */
export function sentResult(sent: SentControl, policy: Policy): Result {
  const { workItem, delivery, decision, dispatching, echo } = sent;
  const refused = decision !== null && (decision.verdict.kind === "refused" || decision.verdict.kind === "ignored" || decision.verdict.kind === "rejected");
  const data = { workItem, delivery, state: decision === null ? "stored" : refused ? "refused" : "done", verdict: decision?.verdict.kind ?? null, reason: decision?.reason ?? null, dispatching, echo };
  const view = decision === null ? waitingView(sent) : decidedView(sent, decision.reason, refused, policy);
  return { exit: refused ? 1 : 0, data, view };
}

function decidedView({ workItem, echo }: SentControl, reason: Parameters<typeof sentenceOf>[0], refused: boolean, policy: Policy): readonly Block[] {
  const remedy = refused ? remedyOf(reason, policy) : null;
  const sentence = reason === "input-of-authorized" ? "The session is told in its next turn." : sentenceOf(reason, policy);
  return [line(`${workItem}: ${sentence}`, refused ? "warn" : "good"), ...(remedy === null ? [] : [line(`→ ${remedy}`)]), ...echoView(echo)];
}

function echoView(echo: SentControl["echo"]): readonly Block[] {
  switch (echo?.state) {
    case undefined:
      return [];
    case "posted":
      return [line(`the ticket shows it as comment ${echo.comment}`, "dim")];
    case "failed":
      return [line(`the ticket does not show it: ${echo.detail}`, "warn"), line("→ it is in force all the same; `loop doctor` checks the way to the code host")];
    case "pending":
      return [line("the ticket will show it once that is carried out", "dim")];
  }
}

/** Nothing is lost by a service that is down, and it must not look as if it were done. */
function waitingView({ workItem, delivery, dispatching }: SentControl): readonly Block[] {
  if (dispatching) return [line(`${workItem}: stored, and the service has not come to it yet`, "warn"), line(`→ \`loop why ${delivery}\` tells what became of it`)];
  return [line(`${workItem}: stored, but no service runs that could carry it out`, "warn"), line(`→ \`loop start\` starts it, and it takes this up; then \`loop why ${delivery}\` tells what became of it`)];
}
