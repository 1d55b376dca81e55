import { relative } from "node:path";
import { formatRef, LoopError, parseRef, type Ref } from "@loopwork/core/ports";
import { remoteOf } from "../git/remote-of-checkout.ts";
import { askGit } from "../git/ask-git.ts";
import type { Ports } from "../ports/command-ports.ts";
import { refArgument } from "./ref-argument.ts";

/**
 * The work item that a person means: as typed, else `LOOP_WORK_ITEM`, else that of the checkout
 * they stand in, which is a session's own, or any with a branch `issue-<n>` and a remote.
 */
export async function workItemHere(typed: string | undefined, ports: Ports): Promise<Ref> {
  const named = typed ?? ports.io.env["LOOP_WORK_ITEM"];
  if (named !== undefined) return refArgument(named, ports);
  const found = (await ofSession(ports)) ?? (await ofBranch(ports));
  if (found === null)
    throw new LoopError(
      "LOOP_E_USAGE",
      "No work item given",
      "Add --work-item host:<owner>/<repo>#<number>, or run it in the work item's checkout",
    );
  return found;
}

async function ofSession(ports: Ports): Promise<Ref | null> {
  const items = await (await ports.store()).items.list();
  const here = items
    .flatMap(({ sessions }) => sessions)
    .find(
      ({ workdir, status }) =>
        workdir !== null && status !== "closed" && holds(workdir, ports.io.cwd),
    );
  return here === undefined ? null : parseRef(here.workItem);
}

function holds(folder: string, inside: string): boolean {
  const path = relative(folder, inside);
  return path === "" || (!path.startsWith("..") && !path.startsWith("/"));
}

async function ofBranch(ports: Ports): Promise<Ref | null> {
  const number = /^issue-(\d{1,10})$/.exec(
    askGit(["symbolic-ref", "--short", "--quiet", "HEAD"], ports.io.cwd)?.trim() ?? "",
  )?.[1];
  const remote = remoteOf(ports.io.cwd);
  if (number === undefined || remote === null) return null;
  const ref = parseRef(
    `host:${remote.host}/${remote.repository}#${number}`,
    (await ports.policy()).defaultHost,
  );
  return ref === null ? null : refArgument(formatRef(ref), ports);
}
