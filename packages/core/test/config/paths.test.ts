import { describe, expect, test } from "vitest";
import { defaultConfig } from "../../src/config/defaults.ts";
import { parseConfig } from "../../src/config/parse.ts";
import { type Paths, resolvePaths } from "../../src/config/paths.ts";

const home = "/home/ada";
const pathsOf = (text: string, configDir: string | null): Paths => {
  const parsed = parseConfig(text, { file: "f" });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return resolvePaths(parsed.config, { configDir, home });
};

describe("where relative paths begin", () => {
  test("C02 state.root .loop means the same beside the file and inside of .loop", () => {
    expect(pathsOf("state: {root: .loop}", "/srv/app").stateRoot).toBe("/srv/app/.loop");
    expect(pathsOf("state: {root: .loop}", "/srv/app/.loop").stateRoot).toBe("/srv/app/.loop");
    expect(pathsOf("state: {root: .loop}", "/srv/app/.loop/").stateRoot).toBe("/srv/app/.loop");
    expect(pathsOf("state: {root: .loop}", "/srv/app/x.loop").stateRoot).toBe(
      "/srv/app/x.loop/.loop",
    );
  });

  test("without a file the state root is ~/.loop", () => {
    expect(resolvePaths(defaultConfig, { configDir: null, home })).toEqual({
      base: home,
      stateRoot: "/home/ada/.loop",
      storeUrl: "sqlite:/home/ada/.loop/loop.db",
      pidfile: "/home/ada/.loop/host-webhook.pid",
      tokenFile: "/home/ada/.loop/control-plane.token",
      envFile: null,
      workspaceRoot: null,
      spawnWorkdir: home,
      graphFile: null,
      artifactsDir: "/home/ada/.loop/artifacts",
      sandboxRead: expect.arrayContaining(["/home/ada/.gitconfig", "/home/ada/.nvm"]),
      sandboxWrite: [],
    });
  });

  test.each([
    ["", "/outside", "/outside/loop.db"],
    ["state: {root: .loop}", "/outside", "/outside/loop.db"],
    ["state: {root: ''}", "/outside", "/outside/loop.db"],
    ["state: {root: ./.loop}", "/srv/.loop", "/srv/.loop/loop.db"],
    ["state: {root: var}", "/srv/var", "/srv/var/loop.db"],
  ])("with `%s` and another place of state by default it is %s", (text, root, store) => {
    const parsed = parseConfig(text, { file: "f" });
    const config = parsed.ok ? parsed.config : defaultConfig;
    const paths = resolvePaths(config, { configDir: "/srv", home, defaultStateRoot: "/outside" });
    expect(paths).toMatchObject({ base: "/srv", stateRoot: root, storeUrl: `sqlite:${store}` });
    expect(resolvePaths(config, { configDir: "/srv", home, defaultStateRoot: null })).toEqual(
      resolvePaths(config, { configDir: "/srv", home }),
    );
  });

  test("the user's own file in ~/.loop resolves against the home folder", () => {
    expect(pathsOf("", "/home/ada/.loop").stateRoot).toBe("/home/ada/.loop");
  });
});

describe("single paths", () => {
  test.each([
    ["~", "/home/ada"],
    ["~/x", "/home/ada/x"],
    ["~bob/x", "/srv/~bob/x"],
    ["/abs//x/./y/..", "/abs/x"],
    ["../../../../up", "/up"],
    ["a/b/", "/srv/a/b"],
    [".", "/srv"],
    ["", "/srv/.loop"],
  ])("%s", (root, expected) =>
    expect(pathsOf(`state: {root: ${JSON.stringify(root)}}`, "/srv").stateRoot).toBe(expected),
  );

  test("pidfile, token file, store and env file follow the state root unless they are set", () => {
    expect(pathsOf("state: {root: var}", "/srv")).toMatchObject({
      pidfile: "/srv/var/host-webhook.pid",
      tokenFile: "/srv/var/control-plane.token",
      storeUrl: "sqlite:/srv/var/loop.db",
    });
    expect(
      pathsOf(
        "webhooks: {hostWebhook: {pidfile: run/x.pid}}\nservice: {tokenFile: /t}\nstore: {url: 'sqlite:~/db'}\nenv: {file: loop.env}\nrouting: {graph: {definition: graphs.yaml}, workspace: {root: ws}, spawnWorkdir: repo}",
        "/srv",
      ),
    ).toMatchObject({
      pidfile: "/srv/run/x.pid",
      tokenFile: "/t",
      storeUrl: "sqlite:/home/ada/db",
      envFile: "/srv/loop.env",
      graphFile: "/srv/graphs.yaml",
      workspaceRoot: "/srv/ws",
      spawnWorkdir: "/srv/repo",
    });
  });
});
