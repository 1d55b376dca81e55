import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { LoopError } from "@loopwork/core";
import { type Call, flag, textOption } from "../commands/command.ts";
import type { Ports } from "../start/ports.ts";

export type InitAnswers = { readonly repository: string; readonly user: string; readonly workspace: string };

/** What `loop init` must know: from options, else asked on a terminal, else from the checkout; what cannot be known is an error (decisions.md 2). */
export async function answersFrom(call: Call, ports: Ports): Promise<InitAnswers> {
  const remote = repositoryOfCheckout(ports.io.cwd);
  const ask = !flag(call, "yes") && ports.io.interactive;
  const repository = textOption(call, "repository") ?? (ask ? await asked(ports, "Which repository?", remote) : remote);
  const user = textOption(call, "user") ?? (ask ? await asked(ports, "Which login may steer?", null) : await loginOfToken(ports));
  const workspace = textOption(call, "workspace") ?? (ask ? await asked(ports, "Folder of the checkouts?", defaultWorkspace(ports)) : defaultWorkspace(ports));
  if (repository === null || !/^[A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100}$/.test(repository)) throw new LoopError("LOOP_E_INIT_REPOSITORY", "the repository is not known", "add --repository owner/name");
  if (user === null || !/^[A-Za-z0-9-]{1,39}$/.test(user.replace(/^@/, ""))) throw new LoopError("LOOP_E_INIT_USER", "who may steer is not known", "add --user <your login on the code host>");
  return { repository, user: user.replace(/^@/, ""), workspace: workspace ?? defaultWorkspace(ports) };
}

async function asked(ports: Ports, question: string, proposal: string | null): Promise<string | null> {
  const answer = await ports.io.ask(`${question}${proposal === null ? "" : ` [${proposal}]`} `);
  return answer === "" ? proposal : answer;
}

function defaultWorkspace(ports: Ports): string {
  return join(ports.io.home, ".loop", "workspaces");
}

/** Owner and name out of the checkout's remote `origin`; null when this is no checkout. */
function repositoryOfCheckout(cwd: string): string | null {
  try {
    const url = execFileSync("git", ["remote", "get-url", "origin"], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    return /[/:]([A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100}?)(?:\.git)?$/.exec(url)?.[1] ?? null;
  } catch {
    return null;
  }
}

async function loginOfToken(ports: Ports): Promise<string | null> {
  return (await ports.codeHost()).login().catch(() => null);
}
