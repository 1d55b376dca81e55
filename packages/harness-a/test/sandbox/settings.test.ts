import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxOrder } from "@loopwork/core/ports";
import { describe, expect, onTestFinished, test } from "vitest";
import { denyRules } from "../../src/sandbox/deny-rules.ts";
import { namedLogins } from "../../src/sandbox/named-logins.ts";
import { registryHosts } from "../../src/sandbox/registries.ts";
import { secretNames } from "../../src/sandbox/secret-names.ts";
import { hiddenBy, sandboxSettings, type Surroundings } from "../../src/sandbox/settings.ts";

const order: SandboxOrder = {
  receipt: "11111111-1111-4111-8111-111111111111",
  turnDir: "/home/ada/.loop/turns/7",
  checkout: "/home/ada/.loop/workspaces/.work-items/a/github.com/acme/garden",
  alsoIn: ["/home/ada/.loop/artifacts/a"],
  hide: ["/home/ada/.loop", "/home/ada/.loop/workspaces", "/etc/loop.env"],
  read: ["/home/ada/.nvm", "/home/ada/.loop/bin", "/home/ada", "/"],
  write: ["/home/ada/.cache/build"],
  domains: ["github.com"],
  exclude: ["docker *"],
  env: { PATH: "/bin", GH_TOKEN: "x", NPM_TOKEN: "x", ANTHROPIC_API_KEY: "x", EDITOR: "vi" },
  passEnv: ["GH_TOKEN"],
};
const around: Surroundings = {
  tmpDir: "/tmp/loop-1000/abc",
  hide: ["/home/ada", "/srv/claude"],
  programs: ["/home/ada/.local/share/claude"],
  domains: ["github.com"],
  deny: ["Read(//srv/claude)"],
};

describe("the settings of an attempt", () => {
  const settings = Object(sandboxSettings(order, around));

  test("never run a command outside, fail where the sandbox is missing, and allow what is inside without asking", () => {
    expect(settings.sandbox).toMatchObject({
      enabled: true,
      failIfUnavailable: true,
      autoAllowBashIfSandboxed: true,
      allowUnsandboxedCommands: false,
      excludedCommands: ["docker *"],
      network: { allowedDomains: ["github.com"], strictAllowlist: true },
    });
  });

  test("hide home, state root, workspaces, the harness's folder and the env file, each once", () => {
    expect(settings.sandbox.filesystem.denyRead).toEqual([
      "/etc/loop.env",
      "/home/ada",
      "/srv/claude",
    ]);
  });

  test("open the checkout, the tools and the temporary folder, and nothing that would open a hidden folder as a whole", () => {
    expect(settings.sandbox.filesystem.allowRead).toEqual([
      order.checkout,
      "/home/ada/.loop/artifacts/a",
      "/tmp/loop-1000/abc",
      "/home/ada/.nvm",
      "/home/ada/.loop/bin",
      "/home/ada/.local/share/claude",
      "/home/ada/.cache/build",
    ]);
  });

  test("let commands write the requests, the folders beside the checkout and the listed caches, but no hook in those folders", () => {
    expect(settings.sandbox.filesystem.allowWrite).toEqual([
      "/home/ada/.loop/artifacts/a",
      "/home/ada/.cache/build",
      "/home/ada/.loop/turns/7/requests",
    ]);
    expect(settings.sandbox.filesystem.denyWrite).toContain(
      "/home/ada/.loop/artifacts/a/.git/hooks",
    );
  });

  test("take secrets out of the environment, but for those that passEnv names", () => {
    expect(settings.sandbox.credentials.envVars).toEqual([
      { name: "ANTHROPIC_API_KEY", mode: "deny" },
      { name: "NPM_TOKEN", mode: "deny" },
    ]);
  });
});

test.each([
  "AWS_SECRET_ACCESS_KEY",
  "github_token",
  "SSH_AUTH_SOCK",
  "PGPASSWORD",
  "STRIPE_KEY",
  "SENTRY_DSN",
  "DATABASE_URL",
  "AZURE_STORAGE_CONNECTION_STRING",
  "MY_PAT",
  "DB_PASS",
  "NPM_CONFIG__AUTH",
])("%s is taken for a secret", (name) => {
  expect(secretNames({ [name]: "x" }, [])).toEqual([name]);
});

test.each([
  "PATH",
  "HOME",
  "LANG",
  "KEYBOARD",
  "NODE_OPTIONS",
  "LOOP_TURN_DIR",
  "CLAUDE_CONFIG_DIR",
])("%s is not", (name) => {
  expect(secretNames({ [name]: "x" }, [])).toEqual([]);
});

test("a name that is no variable's never reaches the settings: the harness would refuse all of them", () => {
  expect(secretNames({ "BASH_FUNC_token%%": "x", "A TOKEN": "x" }, [])).toEqual([]);
});

describe("rules for the harness's own file tools", () => {
  function folder(...names: readonly string[]): string {
    const dir = mkdtempSync(join(tmpdir(), "loop-deny-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    for (const name of names) mkdirSync(join(dir, name), { recursive: true });
    return dir;
  }

  test("a folder with the checkout in it is denied name by name, so that the checkout stays readable", async () => {
    const home = folder(".ssh", ".loop/turns", ".loop/workspaces/a", ".loop/workspaces/b");
    const rules = await denyRules([home], [join(home, ".loop/workspaces/a")]);
    expect(rules).toEqual(
      [".ssh", ".loop/turns", ".loop/workspaces/b"].flatMap((name) => [
        `Read(/${home}/${name})`,
        `Read(/${home}/${name}/**)`,
      ]),
    );
  });

  /** As the harness reads rules: `?` is one character, `*` some, letters in either case. */
  const denies = (rules: readonly string[], file: string): boolean =>
    rules.some((rule) => {
      const pattern = rule.slice("Read(/".length, -1).replace(/\/\*\*$/, "");
      const source = pattern.replaceAll(/[.$()+^{|}\]\\]/g, String.raw`\$&`);
      const matching = source.replaceAll("?", "[^/]").replaceAll("*", "[^/]*");
      return new RegExp(`^${matching}(?:/|$)`, "i").test(file);
    });

  const manyCheckouts = Array.from({ length: 210 }, (_, at) => `o+r+${1_000 + at}`);
  const below = ".loop/workspaces/.work-items";

  test("210 kept checkouts beside the turn's own use up no rule that hides the home's own entries", async () => {
    const own = [
      "z",
      "Documents (private)",
      "[work]",
      "notes",
      "a,b",
      "new\nline",
      "blank ",
      "back\\slash",
      "!no",
      "{a}",
    ];
    const home = folder(
      ".aws",
      ".ssh",
      ...own,
      ...manyCheckouts.map((name) => `${below}/${name}/x`),
    );
    const checkout = join(home, below, "o+r+1209");
    const rules = await denyRules([home], [checkout, join(home, ".loop/bin")]);
    for (const name of [".aws", ".ssh", ...own])
      expect(denies(rules, join(home, name, "x")), name).toBe(true);
    for (const name of manyCheckouts.slice(0, -1))
      expect(denies(rules, join(home, below, name, "x")), name).toBe(true);
    expect(denies(rules, join(checkout, "x"))).toBe(false);
    expect(denies(rules, join(home, ".loop/bin/loop"))).toBe(false);
    expect(rules.length).toBeLessThan(100);
    expect(rules).toContain(`Read(/${home}/.ssh/**)`);
  });

  test.each([
    [95, 80, 50],
    [100, 100, 100],
    [300, 90, 100],
  ])(
    "a home with %i names, %i of configuration and %i of data takes no more rules than can be given",
    async (own, config, data) => {
      const many = (count: number, below: string): readonly string[] =>
        Array.from({ length: count }, (_, at) =>
          join(below, `${String.fromCharCode(97 + (at % 26))}${at}`),
        );
      const hidden = [...many(own, ""), ...many(config, ".config"), ...many(data, ".local/share")];
      const kept = [".config/gh", ".local/share/pnpm", ".loop/workspaces/a"];
      const home = folder(...hidden, ...kept);
      const rules = await denyRules(
        [home],
        [...kept, ".cache/none"].map((name) => join(home, name)),
      );
      expect(hidden.filter((name) => !denies(rules, join(home, name, "x")))).toEqual([]);
      for (const name of kept)
        expect([name, denies(rules, join(home, name, "x"))]).toEqual([name, false]);
    },
  );

  test("for a readable folder that isn't there nothing around it is left open", async () => {
    const home = folder(".config/secret");
    expect(await denyRules([home], [join(home, ".config/gh")])).toEqual([
      `Read(/${home})`,
      `Read(/${home}/**)`,
    ]);
  });

  test("a name that rules can't say is written with `?`, which stands for any one character", async () => {
    const home = folder("a*", "b (c)", "x");
    expect(await denyRules([home], [join(home, "x")])).toEqual(
      ["a?", "b ?c?"].flatMap((name) => [`Read(/${home}/${name})`, `Read(/${home}/${name}/**)`]),
    );
  });

  test("more rules than can be given hold the item, and so does a rule that would deny the checkout", async () => {
    // Of every hidden name a kept one has all but the last letter, so that no beginning says two at
    // once.
    const pairs = Array.from({ length: 250 }, (_, at) => 1_000 + at);
    const home = folder(...pairs.flatMap((at) => [`${at}a`, `${at}b`]));
    const open = pairs.map((at) => join(home, `${at}b`));
    await expect(denyRules([home], open)).rejects.toMatchObject({
      code: "LOOP_E_SANDBOX",
      message: expect.stringContaining("500 rules"),
      hint: expect.stringContaining("harnesses.A.sandbox"),
    });
    const twin = folder("a*", "ax");
    await expect(denyRules([twin], [join(twin, "ax")])).rejects.toMatchObject({
      code: "LOOP_E_SANDBOX",
      message: expect.stringContaining("a*"),
    });
  });

  test("a folder that can't be listed holds the item, as what lies in it would be readable", async () => {
    const home = folder("own");
    chmodSync(home, 0o111);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534); // Root can list everything.
    try {
      await expect(denyRules([home], [join(home, "own")])).rejects.toMatchObject({
        code: "LOOP_E_SANDBOX",
      });
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(home, 0o700);
    }
  });
});

test("what lies in a hidden folder is not named beside it", () => {
  expect(hiddenBy({ hide: ["/a/b", "/a", "/ab"] }, { hide: ["/a/"] })).toEqual(["/a", "/ab"]);
});

test("registries are those that npm is configured with, scopes included, and a broken answer names none", () => {
  expect(
    registryHosts(
      JSON.stringify({
        registry: "https://packages.example.org/npm/",
        "@acme:registry": "https://acme.example.org:8443/",
        "//packages.example.org/:always-auth": "true",
      }),
    ),
  ).toEqual(["packages.example.org", "acme.example.org"]);
  expect(registryHosts("npm: not found")).toEqual([]);
});

test("files and folders with logins that variables name outside of the home are hidden, unless passEnv hands a variable on", () => {
  const folder = mkdtempSync(join(tmpdir(), "loop-named-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string): string => join(folder, name);
  for (const name of ["kube", "more", "docker", "aws", "gcp", "cargo", "config"])
    mkdirSync(at(name));
  writeFileSync(at("cargo/credentials.toml"), "");
  const env = {
    KUBECONFIG: `${at("kube")}:${at("more")}`,
    DOCKER_CONFIG: at("docker"),
    AWS_SHARED_CREDENTIALS_FILE: at("aws"),
    GOOGLE_APPLICATION_CREDENTIALS: at("gcp"),
    CARGO_HOME: at("cargo"),
    XDG_CONFIG_HOME: at("config"),
    NETRC: at("absent"),
    PGPASSFILE: "relative",
  };
  expect(namedLogins(env, ["GOOGLE_APPLICATION_CREDENTIALS"]).toSorted()).toEqual([
    at("aws"),
    at("cargo/credentials.toml"),
    at("config"),
    at("docker"),
    at("kube"),
    at("more"),
  ]);
});
