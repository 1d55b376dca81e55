import { parseTypedRef, type Ref } from "@loopwork/core/ports";
import type { Ports } from "../ports/command-ports.ts";
import { knownRef, noReference } from "./known-ref.ts";

/**
 * A ref as typed, under the name by which its repository is known here; rejects with how to
 * write one. Inside of a turn there is neither store nor configuration: the dispatcher, which
 * carries the request out, knows the names.
 */
export async function refArgument(text: string, ports: Ports): Promise<Ref> {
  if (ports.turn() === null) return knownRef(text, ports);
  const ref = parseTypedRef(text);
  if (ref === null) throw noReference(text);
  return ref;
}
