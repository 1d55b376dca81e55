import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import {
  allowedEnvironment,
  copiesOfSecrets,
  operatorEnvironment,
} from "../../src/ports/child-environment.ts";

const token = "practice-token-0123456789";
const withheld = { secretNames: ["LOOP_HOST_TOKEN"], passEnv: [] };
const around = { HOME: "/home/me", LOOP_HOST_TOKEN: token };

test.each<[string, string, string]>([
  ["the token itself", "GH_TOKEN", token],
  ["a header", "AUTH", `Bearer ${token}`],
  ["an address with a login", "REMOTE", `https://x-access-token:${token}@code.example/`],
  ["a line break behind it", "GH_TOKEN", `${token}\n`],
  ["base64", "BASIC", Buffer.from(token).toString("base64")],
  [
    "base64 behind a user",
    "BASIC",
    `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`,
  ],
  ["base64 behind another user", "BASIC", Buffer.from(`ada:${token}`).toString("base64")],
  [
    "base64 of an address, behind yet another user",
    "BASIC",
    Buffer.from(`me:${token}@`).toString("base64url"),
  ],
  ["a proxy", "http_proxy", `http://me:${token}@proxy.example`],
  ["a locale", "LC_AUTH", token],
  ["a folder", "XDG_AUTH", token],
])("no child gets a secret inside of another variable: %s", (_what, name, value) => {
  const env = { ...around, [name]: value };
  expect(operatorEnvironment(env, withheld)).toEqual({ HOME: "/home/me" });
  expect(allowedEnvironment(operatorEnvironment(env, withheld), () => true)).toEqual({
    HOME: "/home/me",
  });
  expect(copiesOfSecrets(env, withheld.secretNames)).toEqual([{ name, of: "LOOP_HOST_TOKEN" }]);
  expect(operatorEnvironment(env, { ...withheld, passEnv: [name] })).toEqual({
    HOME: "/home/me",
    [name]: value,
  });
});

test.each(["GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0"])(
  "a setting of git that holds a secret in %s is made void, and git still finds all that it counts",
  (name) => {
    const settings = {
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "a.b",
      GIT_CONFIG_VALUE_0: "c",
      GIT_CONFIG_KEY_1: "user.name",
      GIT_CONFIG_VALUE_1: "Ada",
    };
    expect(
      operatorEnvironment(
        { ...around, ...settings, [name]: `url.https://x:${token}@code.example/.insteadOf` },
        withheld,
      ),
    ).toEqual({
      ...settings,
      HOME: "/home/me",
      GIT_CONFIG_KEY_0: "loop.withheld",
      GIT_CONFIG_VALUE_0: "",
    });
  },
);

test("a short secret counts only where it is the whole value, and never takes away what any program needs", () => {
  const env = { ...around, LOOP_HOST_TOKEN: "C", LANG: "C", CODE: "C", CITY: "Cologne" };
  expect(operatorEnvironment(env, withheld)).toEqual({
    HOME: "/home/me",
    LANG: "C",
    CITY: "Cologne",
  });
});
