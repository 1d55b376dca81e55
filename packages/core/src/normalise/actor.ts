import { isJsonObject, type JsonObject } from "../delivery/admit.ts";
import type { Actor } from "./event.ts";
import { idText } from "./fields.ts";

/** Somebody as the host shows them; null when there is nobody with a login that can be one. */
export function readActor(value: unknown): Actor | null {
  if (!isJsonObject(value)) return null;
  const login = value["login"];
  if (typeof login !== "string" || login.length === 0 || login.length > 100) return null;
  return new LazyActor(value, login);
}

/** Somebody of whom only the login is read at once: without one there is nobody. See `LazyItem` for why. */
class LazyActor implements Actor {
  declare readonly login: string;
  private declare readonly raw: JsonObject;

  constructor(raw: JsonObject, login: string) {
    this.login = login;
    this.raw = raw;
  }

  get id(): string | null {
    return idText(this.raw["id"]);
  }

  get bot(): boolean {
    return this.raw["type"] === "Bot" || this.login.endsWith("[bot]");
  }

  toJSON(): Actor {
    const { login, id, bot } = this;
    return { login, id, bot };
  }
}
