/** Keys under which people look for a place of a secret, and where it belongs instead. */
export const refusedKeys: Readonly<Record<string, string>> = {
  "webhooks.hostWebhook.secret":
    "put the secret into an environment variable and name that in webhooks.hostWebhook.secretEnv",
  "integrations.codeHost.token":
    "put the token into an environment variable and name that in integrations.codeHost.tokenEnv",
  "service.token": "the token lives in the file that service.tokenFile names",
};
