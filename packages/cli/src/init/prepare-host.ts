import { CodeHostError, readSecret } from "@loopwork/core/ports";
import { readEnvFile } from "../configuration/env-file.ts";
import type { Ports } from "../ports/command-ports.ts";
import { pinUser } from "./pin-user.ts";
import type { InitAnswers } from "./questions.ts";
import type { TellAddress } from "./token-address.ts";
import { tokenRights } from "./token-rights.ts";

/** What was made on the code host, in sentences, and what is left to do by hand. */
export type Made = { readonly did: readonly string[]; readonly left: readonly string[] };

/** `host` is the one that the configuration names. */
export type Preparation = Made & { readonly host: string };

/** Makes label and webhook where there is a token, and says what it could not do. */
export async function prepareHost(
  answers: InitAnswers,
  written: { readonly file: string; readonly envFile: string },
  ports: Ports,
  tellAddress: TellAddress,
): Promise<Preparation> {
  const { loaded, host: codeHost, setup, store } = await ports.hostOf({ written: written.file });
  const { config, env } = loaded;
  const [owner = "", repo = ""] = answers.repository.split("/");
  const repository = { host: null, owner, repo };
  const label = config.routing.autoExecuteLabel;
  const events = config.webhooks.hostWebhook.events;
  const secret = readSecret(env[config.webhooks.hostWebhook.secretEnv]);
  const byHand = {
    label: `Create the label "${label}" in ${answers.repository}.`,
    webhook: `Add a webhook to ${answers.repository}: URL ${answers.publicUrl ?? `of port ${config.webhooks.hostWebhook.port} (such as a tunnel's) with the path ${config.webhooks.hostWebhook.path}`}, content type application/json, the secret from ${written.envFile}, events ${events.join(", ")}.${answers.publicUrl === null ? ` Then set webhooks.hostWebhook.publicUrl in ${written.file} to that URL.` : ""}`,
  };
  const webhookStep = answers.ingress === "webhook" ? [byHand.webhook] : []; // A poller needs none.
  const { host, tokenEnv } = config.integrations.codeHost;
  if (!env[tokenEnv])
    return {
      host,
      did: [],
      left: [
        `Set ${tokenEnv} in ${written.envFile} to a token of ${host} with these permissions: ${tokenRights}.`,
        byHand.label,
        ...webhookStep,
      ],
    };

  await tellAddress(loaded);
  const pinned = await pinUser(answers.user, codeHost, store);
  const made = await tried(`label "${label}"`, byHand.label, () =>
    setup.ensureLabel(repository, {
      name: label,
      color: "5319e7",
      description: "loop may work on this",
    }),
  );
  const { publicUrl } = answers;
  const hooked =
    publicUrl === null || secret.kind !== "set"
      ? { did: [], left: webhookStep }
      : await tried(`webhook to ${publicUrl}`, byHand.webhook, () =>
          setup.ensureWebhook(repository, { url: publicUrl, secret: secret.value, events }),
        );
  const alone = readEnvFile(written.envFile).values.has(tokenEnv)
    ? []
    : [
        `Set ${tokenEnv} in ${written.envFile} too: what starts outside this shell, by cron or at boot, doesn't have it.`,
      ];
  return {
    host,
    did: [...pinned.did, ...made.did, ...hooked.did],
    left: [...alone, ...pinned.left, ...made.left, ...hooked.left],
  };
}

async function tried(
  what: string,
  byHand: string,
  make: () => Promise<"made" | "there">,
): Promise<Made> {
  try {
    return {
      did: [`${(await make()) === "made" ? "Created" : "Found"} ${what}`],
      left: [],
    };
  } catch (error) {
    if (!(error instanceof CodeHostError)) throw error;
    return { did: [], left: [`${byHand} (Creating it failed: ${error.message})`] };
  }
}
