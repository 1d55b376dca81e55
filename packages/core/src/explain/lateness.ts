import type { ClockTime, Revocation } from "../work-item/records.ts";
import { formatInstant } from "../text/instant.ts";
import type { Explained } from "./explain-decision.ts";
import { overtakenBy, saidAt } from "../decide/overtaken.ts";

/**
 * What overtook a comment that came too late, and by whose clock: whether a clock is wrong can be
 * seen only so.
 */
export function lateness({
  event,
  state,
  decision: { verdict, reason },
}: Explained): readonly string[] {
  if (reason !== "older-than-known" && reason !== "older-than-command-line") return [];
  if (
    event?.kind !== "comment" ||
    state === null ||
    verdict.kind !== "refused" ||
    verdict.verb === null ||
    verdict.verb === "say" ||
    verdict.verb === "graph"
  )
    return [];
  const written = saidAt(event);
  const newer = overtakenBy(
    { verb: verdict.verb, login: verdict.login ?? null, at: written },
    state.item,
    state.granteeId,
  );
  return newer === null
    ? []
    : [
        `${happened(newer)} at ${formatInstant(newer.at)} by ${newer.clock === "host" ? "the code host's" : "this machine's"} clock. This was written at ${written}.`,
      ];
}

function happened(newer: ClockTime | Revocation): string {
  if (!("login" in newer)) return "A newer command arrived";
  return newer.login === null
    ? "All collaborators lost access"
    : `Access of @${newer.login} was revoked`;
}
