import { isLoopback, LoopError, shortestSecret } from "@loopwork/core/ports";

export type StartFacts = {
  readonly host: string;
  readonly signed: boolean;
  /** A secret is shorter than `shortestSecret`. */
  readonly short: boolean;
  readonly allowUnsigned: boolean;
  readonly events: readonly string[];
  /** How the person sets the secret, for the text of the warning: the name of a variable. */
  readonly secretName: string;
};

/**
 * Checks how a receiver is about to be reached, before it listens. Returns warnings for a person.
 * @throws {LoopError} `LOOP_E_UNSIGNED_BIND`: no secret and not loopback, unless that is allowed.
 */
export function startWarnings(facts: StartFacts): readonly string[] {
  const local = isLoopback(facts.host);
  if (!facts.signed && !local && !facts.allowUnsigned) {
    throw new LoopError(
      "LOOP_E_UNSIGNED_BIND",
      `Refusing to listen on ${facts.host} without a secret: anyone who can reach the port could post events.`,
      `Set ${facts.secretName}, or bind to 127.0.0.1, or allow it with allowUnsigned.`,
    );
  }
  const warnings: string[] = [];
  if (!facts.signed)
    warnings.push(
      `${facts.secretName} is not set: signatures are NOT verified, anyone who can reach the port can post events. Deliveries are marked unverified.`,
    );
  if (facts.short)
    warnings.push(
      `${facts.secretName} has fewer than ${shortestSecret} characters and can be guessed: use a random one, such as the output of "openssl rand -hex 32".`,
    );
  if (!local)
    warnings.push(
      `${facts.host} is not loopback and this port speaks plain HTTP: put a proxy, a tunnel or a VPN with TLS in front of it.`,
    );
  const missing = ["issues", "pull_request"].filter((event) => !facts.events.includes(event));
  if (missing.length > 0)
    warnings.push(
      `${missing.join(" and ")} missing from the events: closed or merged items will never close their sessions, and grants may outlive them.`,
    );
  return warnings;
}
