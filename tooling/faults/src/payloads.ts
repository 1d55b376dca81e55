import { createHmac } from "node:crypto";

/** A delivery as the code host would send it. */
export type Signed = {
  readonly id: string;
  readonly event: string;
  readonly body: string;
  readonly signature: string;
};

export type Stage = {
  readonly owner: string;
  readonly repo: string;
  readonly hostUrl: string;
  readonly cloneUrl: string;
  readonly secret: string;
};

const label = "loop: auto-execute";
export const mallory = { login: "mallory", id: 6666, type: "User" };
const ada = { login: "ada", id: 1001, type: "User" };

/**
 * The words of a comment carry a token that stands nowhere else, by which it is found again in
 * transcripts.
 */
export function token(lane: number, number: number): string {
  return `token-${lane}-${number}-end`;
}

export function issueOpened(stage: Stage, issue: number, id: string): Signed {
  return sign(stage, id, "issues", {
    action: "opened",
    issue: issueOf(stage, issue),
    repository: repositoryOf(stage),
    sender: ada,
  });
}

export function commented(
  stage: Stage,
  issue: number,
  commentId: number,
  body: string,
  id: string,
  by: typeof ada = ada,
): Signed {
  const comment = {
    id: commentId,
    body,
    user: by,
    html_url: `${stage.hostUrl}/${stage.owner}/${stage.repo}/issues/${issue}#issuecomment-${commentId}`,
    created_at: timeOf(commentId),
    updated_at: timeOf(commentId),
  };
  return sign(stage, id, "issue_comment", {
    action: "created",
    issue: issueOf(stage, issue),
    comment,
    repository: repositoryOf(stage),
    sender: by,
  });
}

function sign({ secret }: Stage, id: string, event: string, payload: unknown): Signed {
  const body = JSON.stringify(payload);
  return {
    id,
    event,
    body,
    signature: `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  };
}

function issueOf(stage: Stage, number: number): unknown {
  return {
    id: 5000 + number,
    number,
    title: `Item ${number}`,
    body: "",
    html_url: `${stage.hostUrl}/${stage.owner}/${stage.repo}/issues/${number}`,
    state: "open",
    labels: [{ id: 1, name: label }],
    user: ada,
    updated_at: timeOf(0),
    created_at: timeOf(0),
  };
}

function repositoryOf(stage: Stage): unknown {
  const name = `${stage.owner}/${stage.repo}`;
  return {
    id: 77,
    name: stage.repo,
    full_name: name,
    owner: { login: stage.owner, id: 9, type: "User" },
    html_url: `${stage.hostUrl}/${name}`,
    clone_url: stage.cloneUrl,
    default_branch: "main",
  };
}

/** The host's time when a run began; later numbers are later. */
const epoch = Date.now();

function timeOf(number: number): string {
  return `${new Date(epoch + number * 10).toISOString().slice(0, 19)}Z`;
}
