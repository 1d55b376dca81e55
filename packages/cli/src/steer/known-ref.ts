import type { Policy } from "@loopwork/core";
import {
  LoopError,
  parseRef,
  parseTypedRef,
  type Ref,
  renameRefs,
  type Store,
} from "@loopwork/core/ports";

/**
 * A ref as typed, under the name by which its repository is known here; rejects with how to write
 * one.
 */
export async function knownRef(
  text: string,
  ports: {
    readonly policy: () => Promise<Pick<Policy, "defaultHost">>;
    readonly store: () => Promise<{ readonly repositories: Pick<Store["repositories"], "list"> }>;
  },
): Promise<Ref> {
  const ref = parseTypedRef(text, (await ports.policy()).defaultHost);
  if (ref === null) throw noReference(text);
  return renameRefs(await (await ports.store()).repositories.list(), "known")(ref);
}

/** A bare number names a pull request of the work item's own repository. */
export function numberIn(text: string, workItem: Ref): Ref | null {
  const number = parseRef(`host:a/b#${text.startsWith("#") ? text.slice(1) : text}`)?.number;
  return number === undefined ? null : { ...workItem, number };
}

export function noReference(text: string): LoopError {
  return new LoopError(
    "LOOP_E_REF",
    `Invalid reference ${JSON.stringify(text.slice(0, 200))}`,
    "Write it as <owner>/<repo>#<number> or host:<owner>/<repo>#<number>, or give its URL, such as https://<host>/<owner>/<repo>/issues/<number>",
  );
}
