import { isJsonObject } from "../delivery/admit.ts";
import { isDomain, isOwnerName, isRepositoryName } from "../work-item/ref.ts";
import type { KnownAs } from "../work-item/repository-names.ts";
import type { Repository } from "./event.ts";
import { idText } from "./fields.ts";
import { LazyRepository } from "./lazy-parts.ts";

/**
 * The repository of a delivery. Names that no host gives out are refused before they reach any
 * path.
 */
export function readRepository(
  value: unknown,
  defaultHost: string,
  knownAs: KnownAs | null,
): Repository | "shape" | "bad-name" {
  if (!isJsonObject(value)) return "shape";
  const name = value["name"];
  const ownerObject = value["owner"];
  const owner = isJsonObject(ownerObject) ? ownerObject["login"] : undefined;
  if (typeof name !== "string" || typeof owner !== "string") return "shape";
  const page = value["html_url"];
  if (
    name !== last.name ||
    owner !== last.owner ||
    page !== last.page ||
    defaultHost !== last.defaultHost
  ) {
    if (!isRepositoryName(name) || !isOwnerName(owner)) return "bad-name";
    const host = typeof page === "string" ? hostOf(page, defaultHost) : null;
    if (host === "") return "bad-name";
    last = { name, owner, page, defaultHost, host };
  }
  const id = knownAs === null ? null : idText(value["id"]);
  const known = id === null ? null : (knownAs?.(last.host, id) ?? null);
  return known === null
    ? new LazyRepository(value, last.host, owner, name, undefined)
    : new LazyRepository(value, last.host, known.owner, known.name, { owner, name });
}

/**
 * Domain of a page of the host in lower case; null when it is the default one, `""` when it is none
 * at all.
 */
function hostOf(page: string, defaultHost: string): string | null {
  const from = page.charCodeAt(4) === 58 /* : */ ? 7 : 8;
  const slash = page.indexOf("/", from);
  const end = slash === -1 ? page.length : slash;
  if (!page.startsWith(from === 8 ? "https://" : "http://")) return "";
  const host = page.slice(from, end).toLowerCase();
  if (host === defaultHost) return null;
  return isDomain(host) ? host : "";
}

/** Names that were checked last: most deliveries in a row are of one repository. */
let last: {
  readonly name: string;
  readonly owner: string;
  readonly page: unknown;
  readonly defaultHost: string;
  readonly host: string | null;
} = { name: "", owner: "", page: null, defaultHost: "", host: null };
