/**
 * A key of before: what a person does instead, and where `loop config migrate` puts its value; null
 * where only a person can do it.
 */
export type RemovedKey = { readonly hint: string; readonly to: string | null };

/**
 * Keys that were moved or never may be set. `{default}` in a place stands for the default harness.
 */
export const removedKeys: Readonly<Record<string, RemovedKey>> = {
  "webhooks.hostWebhook.secret": {
    to: null,
    hint: "put the secret into an environment variable and name that in webhooks.hostWebhook.secretEnv",
  },
  "integrations.codeHost.token": {
    to: null,
    hint: "put the token into an environment variable and name that in integrations.codeHost.tokenEnv",
  },
  "service.token": { to: null, hint: "the token lives in the file that service.tokenFile names" },
  "routing.autoExecuteLabels": {
    to: "routing.autoExecuteLabel",
    hint: "one label arms: routing.autoExecuteLabel",
  },
  "routing.harness": { to: "routing.defaultHarness", hint: "use routing.defaultHarness" },
  "routing.harnessArgs": { to: "harnesses.{default}.args", hint: "use harnesses.A.args" },
  "routing.promptTemplate": { to: "promptTemplate", hint: "use the top-level key promptTemplate" },
  "routing.instance": { to: "instance.name", hint: "use instance.name" },
  "webhooks.hostWebhook.instance": { to: "instance.name", hint: "use instance.name" },
  "webhooks.hostWebhook.allowedUsers": {
    to: "routing.authorizedUsers",
    hint: "use routing.authorizedUsers",
  },
};
