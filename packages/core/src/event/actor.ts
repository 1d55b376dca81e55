import { isAccountLogin } from "../accounts/account.ts";
import { isJsonObject } from "./parse-payload.ts";
import type { Actor } from "./event.ts";
import { idText } from "./fields.ts";

/**
 * Somebody as the host shows them; null when there is nobody with a login that can be one. A
 * mannequin, which stands for somebody in imported content, is nobody: its login may be that of a
 * real account.
 */
export function readActor(value: unknown): Actor | null {
  if (!isJsonObject(value)) return null;
  const login = value["login"];
  if (typeof login !== "string" || !isAccountLogin(login) || value["type"] === "Mannequin")
    return null;
  return { login, id: accountId(value["id"]), bot: value["type"] === "Bot" };
}

/**
 * Id of an account. Hosts count from 1: a 0 stands for none, and would make all who have it the
 * same account.
 */
export function accountId(value: unknown): string | null {
  const id = idText(value);
  return id === null || id.startsWith("0") ? null : id;
}
