import { CodeHostError, type Ref, type SecretValue } from "@loopwork/core/ports";
import { apiBaseOf } from "./address.ts";
import { type Client, type CodeHostOptions, createClient } from "./client.ts";
import { textAt } from "./fields.ts";

/**
 * What `loop init` arranges on the host when it has a token, and `loop doctor` looks at. Each call
 * is harmless when repeated.
 */
export interface HostSetup {
  /** `there` when the repository has a label of that name already. */
  ensureLabel(
    repository: Repository,
    label: { readonly name: string; readonly color: string; readonly description: string },
  ): Promise<"made" | "there">;
  /**
   * `there` when a webhook leads to that address already; it is then left as it is, its secret
   * included.
   */
  ensureWebhook(
    repository: Repository,
    webhook: {
      readonly url: string;
      readonly secret: SecretValue;
      readonly events: readonly string[];
    },
  ): Promise<"made" | "there">;
  /**
   * Whether the token may read the repository, and whether that has a label of the name; one
   * request where both hold.
   */
  lookAt(repository: Repository, label: string): Promise<"label" | "no-label" | "unreadable">;
  /** Address at which labels of the repository are made. */
  labelsOf(repository: Repository): string;
}

type Repository = Pick<Ref, "host" | "owner" | "repo">;

export function createHostSetup(options: CodeHostOptions): HostSetup {
  const client = createClient(options);
  return {
    ensureLabel: (repository, label) => ensureLabel(client, repository, label),
    ensureWebhook: (repository, webhook) => ensureWebhook(client, repository, webhook),
    lookAt: (repository, label) => lookAt(client, repository, label),
    labelsOf: ({ owner, repo }) => `${apiBaseOf(options)}/repos/${owner}/${repo}/labels`,
  };
}

async function ensureLabel(
  client: Client,
  repository: Repository,
  label: { readonly name: string; readonly color: string; readonly description: string },
): Promise<"made" | "there"> {
  const names = client.namesOf(repository);
  if (await hasLabel(client, names, label.name)) return "there";
  await client.post("making a label", "/repos/{owner}/{repo}/labels", { ...names, ...label });
  return "made";
}

async function lookAt(
  client: Client,
  repository: Repository,
  label: string,
): Promise<"label" | "no-label" | "unreadable"> {
  const names = client.namesOf(repository);
  if (await hasLabel(client, names, label)) return "label";
  return (await client
    .get("reading a repository", "/repos/{owner}/{repo}", names)
    .then(() => true, isMissing))
    ? "no-label"
    : "unreadable";
}

function hasLabel(
  client: Client,
  names: ReturnType<Client["namesOf"]>,
  name: string,
): Promise<boolean> {
  return client
    .get("looking for a label", "/repos/{owner}/{repo}/labels/{name}", { ...names, name })
    .then(() => true, isMissing);
}

async function ensureWebhook(
  client: Client,
  repository: Repository,
  webhook: {
    readonly url: string;
    readonly secret: SecretValue;
    readonly events: readonly string[];
  },
): Promise<"made" | "there"> {
  const names = client.namesOf(repository);
  for await (const page of client.pages("looking for our webhook", "/repos/{owner}/{repo}/hooks", {
    ...names,
    per_page: 100,
  })) {
    if (page.some((hook) => textAt(hook, "config", "url") === webhook.url)) return "there";
  }
  const config = {
    url: webhook.url,
    content_type: "json",
    secret: webhook.secret,
    insecure_ssl: "0",
  };
  await client.post(
    "making our webhook",
    "/repos/{owner}/{repo}/hooks",
    { ...names, name: "web", active: true, events: webhook.events, config },
    { secrets: [webhook.secret] },
  );
  return "made";
}

function isMissing(error: unknown): false {
  if (error instanceof CodeHostError && error.missing) return false;
  throw error;
}
