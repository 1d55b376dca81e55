import { isJsonObject } from "../delivery/admit.ts";
import { isDomain, isOwnerName, isRepositoryName, largestNumber } from "../work-item/ref.ts";
import type { Actor, Repository } from "./event.ts";
import { LazyRepository } from "./lazy-parts.ts";

/**
 * Readers of single fields. They never throw and never cast: what is missing or odd becomes null or empty where the
 * rest of the event makes sense without it, and the reader of a required part says that the shape does not fit.
 */

export function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Text that people wrote; the host sends null for empty bodies. */
export function prose(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A time of the host's clock as it was sent; null for what cannot be one. */
export function time(value: unknown): string | null {
  return typeof value === "string" && value.length >= 10 && value.length <= 40 ? value : null;
}

/** An id as decimal text. Numbers that lost digits on the way (2^53 and up) are no ids (R10). */
export function idText(value: unknown): string | null {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? String(value) : null;
  return typeof value === "string" && isDigits(value) ? value : null;
}

/** Number of an issue or pull request; null when it is none. */
export function itemNumber(value: unknown): number | null {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= largestNumber ? value : null;
}

/** A commit id: 7 to 64 hexadecimal digits, in lower case as the host sends them. */
export function commitId(value: unknown): string | null {
  return typeof value === "string" && value.length >= 7 && value.length <= 64 && !noHexDigit.test(value) ? value : null;
}

const noHexDigit = /[^0-9a-f]/;

export function readActor(value: unknown): Actor | null {
  if (!isJsonObject(value)) return null;
  const login = value["login"];
  if (typeof login !== "string" || login.length === 0 || login.length > 100) return null;
  return { login, id: idText(value["id"]), bot: value["type"] === "Bot" || (login.charCodeAt(login.length - 1) === 93 && login.endsWith("[bot]")) };
}

/** The repository of a delivery. Names that no host gives out are refused before they reach any path (W01). */
export function readRepository(value: unknown, defaultHost: string): Repository | "shape" | "bad-name" {
  if (!isJsonObject(value)) return "shape";
  const name = value["name"];
  const ownerObject = value["owner"];
  const owner = isJsonObject(ownerObject) ? ownerObject["login"] : undefined;
  if (typeof name !== "string" || typeof owner !== "string") return "shape";
  const page = value["html_url"];
  if (name !== last.name || owner !== last.owner || page !== last.page || defaultHost !== last.defaultHost) {
    if (!isRepositoryName(name) || !isOwnerName(owner)) return "bad-name";
    const host = typeof page === "string" ? hostOf(page, defaultHost) : null;
    if (host === "") return "bad-name";
    last = { name, owner, page, defaultHost, host };
  }
  return new LazyRepository(value, last.host, owner, name);
}

/** Names of labels; entries without a name are skipped. */
export function readLabels(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) return noLabels;
  const entries: readonly unknown[] = value;
  const first = labelName(entries[0]);
  // Most items have one label; an array that grows takes room for sixteen more.
  if (entries.length === 1) return first === null ? noLabels : [first];
  const names: string[] = [];
  for (const entry of entries) {
    const name = labelName(entry);
    if (name !== null) names.push(name);
  }
  return names;
}

function labelName(entry: unknown): string | null {
  return text(isJsonObject(entry) ? entry["name"] : entry);
}

/** Domain of a page of the host in lower case; null when it is the default one, `""` when it is none at all. */
function hostOf(page: string, defaultHost: string): string | null {
  const from = page.charCodeAt(4) === 58 /* : */ ? 7 : 8;
  const slash = page.indexOf("/", from);
  const end = slash === -1 ? page.length : slash;
  if (end - from === defaultHost.length && page.slice(from, end) === defaultHost) return null;
  if (!page.startsWith(from === 8 ? "https://" : "http://")) return "";
  const host = page.slice(from, end).toLowerCase();
  if (host === defaultHost) return null;
  return isDomain(host) ? host : "";
}

function isDigits(value: string): boolean {
  if (value.length === 0 || value.length > 20) return false;
  for (let i = 0; i < value.length; i += 1) {
    const code = value.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

const noLabels: readonly string[] = [];

let last: { readonly name: string; readonly owner: string; readonly page: unknown; readonly defaultHost: string; readonly host: string | null } = { name: "", owner: "", page: null, defaultHost: "", host: null };
