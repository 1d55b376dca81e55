import type { CodeHost, JsonObject, Ref, SecretValue } from "@loopwork/core/ports";

/** Requests that the host still takes until `resetAt`, in milliseconds since 1970. */
type Budget = { readonly remaining: number; readonly limit: number; readonly resetAt: number };

export type CodeHostClient = CodeHost & { readonly budget: () => Budget | null };

/** An item and its repository as the host shows them now. */
export type ShownItem = { readonly issue: JsonObject; readonly repository: JsonObject };

type Repository = Pick<Ref, "host" | "owner" | "repo">;

/** Makes labels and webhooks in a repository. Rejects with `CodeHostError`. */
export interface HostSetup {
  /** `there` when the repository has a label of that name already. */
  ensureLabel(
    repository: Repository,
    label: { readonly name: string; readonly color: string; readonly description: string },
  ): Promise<"made" | "there">;
  /** `there` when a webhook leads to that address already; it is then left as it is. */
  ensureWebhook(
    repository: Repository,
    webhook: {
      readonly url: string;
      readonly secret: SecretValue;
      readonly events: readonly string[];
    },
  ): Promise<"made" | "there">;
  /** Whether the token may read the repository, and whether that has a label of the name. */
  lookAt(repository: Repository, label: string): Promise<"label" | "no-label" | "unreadable">;
  /** Address at which labels of the repository are made. */
  labelsOf(repository: Repository): string;
}
