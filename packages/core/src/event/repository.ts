import { isJsonObject } from "./parse-payload.ts";
import { isDomain, isOwnerName, isRepositoryName } from "../ref/ref.ts";
import type { KnownAs } from "./repository-names.ts";
import type { Repository } from "./event.ts";
import { idText, text } from "./fields.ts";

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
  if (!isRepositoryName(name) || !isOwnerName(owner)) return "bad-name";
  const page = value["html_url"];
  const host = typeof page === "string" ? hostOf(page, defaultHost) : null;
  if (host === "") return "bad-name";
  const id = idText(value["id"]);
  const known = id === null ? null : (knownAs?.(host, id) ?? null);
  return {
    host,
    owner: known?.owner ?? owner,
    name: known?.name ?? name,
    id,
    defaultBranch: text(value["default_branch"]),
    cloneUrl: text(value["clone_url"]),
    ...(known === null ? {} : { calledNow: { owner, name } }),
  };
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
