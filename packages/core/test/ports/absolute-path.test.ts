import { expect, test } from "vitest";
import { absolutePath } from "../../src/ports/absolute-path.ts";
import { allowedEnvironment, operatorEnvironment } from "../../src/ports/child-environment.ts";

test.each([
  ["/usr/bin:/bin", "/usr/bin:/bin"],
  ["./node_modules/.bin:/usr/bin", "/usr/bin"],
  ["node_modules/.bin:/usr/bin:..", "/usr/bin"],
  [":/usr/bin", "/usr/bin"],
  ["/usr/bin:", "/usr/bin"],
  ["/usr/bin::/bin", "/usr/bin:/bin"],
  ["~/bin:$HOME/bin: /bin:/usr/bin", "/usr/bin"],
])("a search path keeps absolute folders only: %j becomes %j", (path, expected) => {
  expect(absolutePath(path)).toBe(expected);
});

test.each(["", ":", ".", "./node_modules/.bin:bin"])(
  "a search path without any absolute folder becomes the system's own, since an empty one means the working directory: %j",
  (path) => {
    expect(absolutePath(path)).toBe("/usr/local/bin:/usr/bin:/bin");
  },
);

test("no environment of a child has a relative folder in PATH, whatever `passEnv` names", () => {
  const env = { PATH: "./node_modules/.bin:/usr/bin", HOME: "/home/me" };
  expect(operatorEnvironment(env, { secretNames: [], passEnv: ["PATH"] })).toEqual({
    PATH: "/usr/bin",
    HOME: "/home/me",
  });
  expect(allowedEnvironment(env, () => true)).toEqual({ PATH: "/usr/bin", HOME: "/home/me" });
});
