import { lstat, mkdir, realpath } from "node:fs/promises";
import { dirname, join, parse, resolve } from "node:path";
import { ifAbsent } from "./if-absent.ts";
import { WorkspaceError } from "./failure.ts";
import { isInside } from "./layout.ts";

/**
 * The root as the file system knows it, made when it is missing. Refused are `/`, the home folder,
 * a folder that holds the home folder, and a link: nothing may be removed below such a root. Throws
 * `LOOP_E_WORKSPACE_ROOT`.
 */
export async function openRoot(root: string, home: string): Promise<string> {
  const path = resolve(root);
  const stat = await lstat(path).catch(ifAbsent(null));
  if (stat?.isSymbolicLink()) throw refused(path, "it is a symbolic link");
  if (stat !== null && !stat.isDirectory()) throw refused(path, "it is no folder");
  refuseUnsafe(path, home);
  if (stat === null) await mkdir(path, { recursive: true, mode: 0o700 });
  const real = await realpath(path);
  refuseUnsafe(real, home);
  return real;
}

function refuseUnsafe(path: string, home: string): void {
  if (path === parse(path).root) throw refused(path, "it is the root of the file system");
  if (home !== "" && path === resolve(home)) throw refused(path, "it is the home folder");
  if (home !== "" && isInside(path, resolve(home)))
    throw refused(path, "the home folder lies in it");
}

/**
 * Walks from the root to a path below it and refuses any link on the way, so that nothing is read,
 * written or removed elsewhere. What is missing is fine. Throws `LOOP_E_WORKSPACE_LINK`.
 */
export async function refuseLinks(root: string, segments: readonly string[]): Promise<void> {
  let path = root;
  for (const segment of segments) {
    path = join(path, segment);
    const stat = await lstat(path).catch(ifAbsent(null));
    if (stat === null) return;
    if (stat.isSymbolicLink())
      throw new WorkspaceError(
        "LOOP_E_WORKSPACE_LINK",
        `${path} is a symbolic link, and checkouts are not made through links.`,
        "Remove the link, or choose another routing.workspace.root.",
      );
  }
  if (!isInside(root, await realpath(path)))
    throw new WorkspaceError(
      "LOOP_E_WORKSPACE_LINK",
      `${path} leads out of the workspace root.`,
      "Choose another routing.workspace.root.",
    );
}

/** Makes the folder that a path stands in. */
export const makeParent = (path: string): Promise<unknown> =>
  mkdir(dirname(path), { recursive: true, mode: 0o700 });

function refused(path: string, why: string): WorkspaceError {
  return new WorkspaceError(
    "LOOP_E_WORKSPACE_ROOT",
    `${path} cannot be the workspace root: ${why}.`,
    "Set routing.workspace.root to a folder of its own, such as ~/.loop/workspaces.",
  );
}
