import { canaryEvent } from "@loopwork/core";
import { readSecret, type SecretValue } from "@loopwork/core/ports";
import type { Receiver } from "@loopwork/receiver";
import { eventLine, type Runtime } from "@loopwork/runtime";
import type { Unwind } from "@loopwork/runtime/unwind";
import type { StartedConfig } from "../configuration/load-config.ts";
import type { Log } from "../output/log.ts";
import { systemClock } from "./open.ts";
import type { Claim } from "./succession.ts";

/**
 * Serves the webhook over the store's inbox, as the configuration has it; resolves once its port is
 * ours. `url` asks how it is.
 */
export async function startReceiver(
  loaded: StartedConfig,
  wired: Runtime,
  log: Log,
  unwind: Unwind,
  claim: Claim,
  tell: { readonly stored: () => void; readonly refused: (code: string) => void },
): Promise<{ readonly receiver: Receiver; readonly url: string }> {
  const { createReceiver } = await import("@loopwork/receiver");
  const options = loaded.config.webhooks.hostWebhook;
  const receiver = createReceiver({
    inbox: wired.parts.store,
    secrets: webhookSecrets(loaded),
    secretName: options.secretEnv,
    path: options.path,
    events: [...options.events, canaryEvent],
    maxBodyBytes: options.maxBodyBytes,
    dedupeBody: options.dedupeBody,
    dialect: loaded.config.integrations.codeHost.dialect,
    allowUnsigned: options.allowUnsigned,
    now: systemClock.now,
    onEvent(event) {
      if (event.kind === "accepted") {
        wired.dispatcher.poke();
        tell.stored();
      } else logReceived(event, wired, log);
      if (event.kind === "refused") tell.refused(event.reason ?? "");
    },
    onFault: (error) =>
      log.say(
        "error",
        `the receiver met a fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      ),
  });
  const { address, warnings } = await claim.listen(() =>
    receiver.listen(options.port, options.host),
  );
  unwind.defer("receiver", () => receiver.stop());
  for (const warning of warnings) log.say("warn", warning);
  return {
    receiver,
    url: `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}/health`,
  };
}

/** Duplicates and refusals are told too: nothing happens silently. */
function logReceived(
  event: {
    readonly kind: string;
    readonly delivery: string | null;
    readonly event: string | null;
    readonly reason: string | null;
  },
  wired: Runtime,
  log: Log,
): void {
  if (event.kind === "duplicate" || event.kind === "ignored") {
    const kind = event.kind === "duplicate" ? "delivery.duplicate" : "delivery.ignored";
    const line = eventLine(wired.parts, kind, {
      delivery: event.delivery,
      reason: event.reason,
      fields: { event: event.event },
    });
    void wired.parts.store.events.append([line]).catch(() => {});
  } else log.say("warn", `a delivery was refused: ${event.reason ?? event.kind}`);
}

/**
 * Every secret that is valid now. Those that are set to something unusable were refused with the
 * configuration.
 */
function webhookSecrets(loaded: StartedConfig): readonly SecretValue[] {
  const { secretEnv, previousSecretEnv } = loaded.config.webhooks.hostWebhook;
  const readings = [secretEnv, previousSecretEnv].map((name) =>
    readSecret(name === null ? undefined : loaded.env[name]),
  );
  return readings.flatMap((reading) => (reading.kind === "set" ? [reading.value] : []));
}
