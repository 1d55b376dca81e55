import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxOrder } from "@loopwork/core/ports";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { denyRules as denyRulesOf } from "../../src/sandbox/deny-rules.ts";
import { isWithin } from "../../src/sandbox/is-within.ts";
import { linkedLogins, namedLogins } from "../../src/sandbox/named-logins.ts";
import { registryHosts } from "../../src/sandbox/registries.ts";
import { secretNames } from "../../src/sandbox/secret-names.ts";
import { hiddenPaths } from "../../src/sandbox/hidden-paths.ts";
import { sandboxSettings, type Surroundings } from "../../src/sandbox/settings.ts";

const order: SandboxOrder = {
  receipt: "11111111-1111-4111-8111-111111111111",
  turnDir: "/home/ada/.loop/turns/7",
  checkout: "/home/ada/.loop/workspaces/.work-items/a/github.com/acme/garden",
  alsoIn: ["/home/ada/.loop/artifacts/a"],
  hide: ["/home/ada/.loop", "/home/ada/.loop/workspaces", "/etc/loop.env"],
  locked: ["/srv/garden/graph.yaml"],
  read: ["/home/ada/.nvm", "/home/ada/.loop/bin", "/home/ada", "/"],
  write: ["/home/ada/.cache/build"],
  domains: ["github.com"],
  exclude: ["docker *"],
  env: { PATH: "/bin", GH_TOKEN: "x", NPM_TOKEN: "x", ANTHROPIC_API_KEY: "x", EDITOR: "vi" },
  passEnv: ["GH_TOKEN"],
};
const around: Surroundings = {
  tmpDir: "/tmp/loop-1000/abc",
  hidden: hiddenPaths({ own: order.hide, around: ["/home/ada", "/srv/claude"] }),
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

  test("let nobody write what steers the service: no command where it is there, and no file tool", () => {
    const dir = mkdtempSync(join(tmpdir(), "loop-locked-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const locked = ["loop.yaml", "not-there.yaml"].map((name) => join(dir, name));
    writeFileSync(join(dir, "loop.yaml"), "");
    const made = Object(sandboxSettings({ ...order, locked }, around));
    expect(made.sandbox.filesystem.denyWrite).toContain(locked[0]);
    expect(made.sandbox.filesystem.denyWrite).not.toContain(locked[1]);
    for (const file of locked) expect(made.permissions.deny).toContain(`Edit(/${file})`);
    const folder = Object(sandboxSettings({ ...order, locked: [dir] }, around));
    expect(folder.sandbox.filesystem.denyWrite).toContain(dir);
    expect(folder.permissions.deny).toContain(`Edit(/${dir}/**)`);
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

test.each([
  ["MONGODB_URI", "mongodb://u:DBSECRET@h/x"],
  ["DB_OF_2031", "postgres://u:a/b#c@h/x"],
  ["REDIS_URL", "redis://:hunter2@cache:6379/0"],
  ["POSTGRES_URL", "jdbc:postgresql://u:p%40ss@h/x?sslmode=require"],
  ["HOSTS", "mongodb+srv://h1/x,mongodb+srv://u:p@h2/x"],
  ["HTTPS_PROXY", "http://ada:pw@proxy.example.org:3128"],
  ["all_proxy", "socks5h://ada:pw@proxy.example.org"],
  ["MYSQL_DSN_OF_GO", "ada:pw@tcp(db:3306)/x"],
  ["PG", "host=db user=ada password=hunter2"],
  ["SQL", "Server=db;User Id=sa;Password=hunter2;"],
  ["BLOB", "https://x.example.org/b?sv=1&sig=a%2Bb%3D"],
  ["KEYS", "-----BEGIN RSA PRIVATE KEY-----\nAA==\n"],
  ["SSHPASS", "x"],
  ["SIGNING", "-----BEGIN OPENSSH PRIVATE KEY-----"],
  ...[
    `ghp_${"a1".repeat(18)}`,
    `github_pat_${"a1".repeat(20)}`,
    `gho_${"a1".repeat(18)}`,
    `glpat-${"a1".repeat(10)}`,
    `xoxb-${"1".repeat(12)}-${"a1".repeat(12)}`,
    `sk-ant-api03-${"a1".repeat(20)}`,
    `sk-proj-${"a1".repeat(20)}`,
    `sk_live_${"a1".repeat(12)}`,
    `AKIA${"A1".repeat(8)}`,
    `npm_${"a1".repeat(18)}`,
    `AGE-SECRET-KEY-1${"A1".repeat(20)}`,
    `Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${"a1".repeat(10)}`,
    `{"auths":{"x":{"identity":"glpat-${"a1".repeat(10)}"}}}`,
  ].map((value): [string, string] => ["PLAIN_NAME", value]),
] satisfies [string, string][])(
  "%s=%s is a secret by its value, unless passEnv names it",
  (name, value) => {
    expect(secretNames({ [name]: value }, [])).toEqual([name]);
    expect(secretNames({ [name]: value }, [name])).toEqual([]);
  },
);

test.each([
  ["HTTPS_PROXY", "http://proxy.example.org:3128"],
  ["NO_PROXY", "localhost,127.0.0.1,.example.org"],
  ["REGISTRY", "https://packages.example.org:8443/@acme/"],
  ["REMOTE", "ssh://git@example.org:22/acme/garden.git"],
  ["CLONE", "git@example.org:acme/garden.git"],
  ["WINDOW", "2026-11-25T10:00:00Z"],
  ["SCOPED", "https://a:8080/x@y"],
  ["GIT_ASKPASS", "/usr/bin/ask"],
  ["SSH_ASKPASS", "/usr/bin/ask"],
  ["WHEELS", "/opt/sk-learn/wheels/task-runner"],
  ["CERTIFICATE", "-----BEGIN CERTIFICATE-----\nAA=="],
  ["PATH", `/srv/glpat-${"a1".repeat(10)}/bin:/usr/bin`],
  ["OPTIONS", "--max-old-space-size=4096 --require=/srv/x.js"],
])("%s=%s is none", (name, value) => {
  expect(secretNames({ [name]: value }, [])).toEqual([]);
});

test("with a setting of git that holds a login goes their number, without which git would fail", () => {
  const env = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "url.https://u:pw@h/.insteadOf" };
  expect(secretNames({ ...env, GIT_CONFIG_VALUE_0: "https://h/" }, [])).toEqual([
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_KEY_0",
  ]);
});

test("a name that is no variable's never reaches the settings: the harness would refuse all of them", () => {
  expect(secretNames({ "BASH_FUNC_token%%": "x", "A TOKEN": "x" }, [])).toEqual([]);
});

describe("rules for the harness's own file tools", () => {
  const denyRules = (
    hide: readonly string[],
    open: readonly string[],
    work?: readonly string[],
  ): Promise<readonly string[]> =>
    denyRulesOf({ outermost: hide, inOpen: [], tooOpen: [] }, open, work);

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

  test("a name that differs from a tool's in the case of letters alone is denied, and holds nothing", async () => {
    const home = folder("Go/private", "go/bin", "work");
    const open = [join(home, "go/bin"), join(home, "work")];
    const rules = await denyRules([home], open, [join(home, "work")]);
    expect(rules).toContain(`Read(/${home}/Go)`);
    const twin = folder("Work", "work");
    await expect(
      denyRules([twin], [join(twin, "work")], [join(twin, "work")]),
    ).rejects.toMatchObject({ code: "LOOP_E_SANDBOX", message: expect.stringContaining("Work") });
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

test("what lies in a hidden folder is not named beside it, unless a folder between them is open", () => {
  const hide = { own: ["/a/b/c", "/a", "/ab"], around: ["/a/"] };
  expect(hiddenPaths(hide)).toEqual({ outermost: ["/a", "/ab"], inOpen: [], tooOpen: [] });
  expect(hiddenPaths(hide, ["/a/b"])).toMatchObject({ inOpen: ["/a/b/c"] });
  expect(hiddenPaths(hide, ["/a/b/c/d"])).toMatchObject({ inOpen: [] });
});

test("where links lead is hidden with them, and what a turn works in stays open by each of its names", async () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "loop-links-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const folder of ["run", "data/ada/.loop", "data/ada/work/checkout", "disk"])
    mkdirSync(join(dir, folder), { recursive: true });
  for (const file of ["run/loop.env", "disk/loop.db"]) writeFileSync(join(dir, file), "SECRET");
  symlinkSync(join(dir, "data/ada"), join(dir, "home"));
  symlinkSync(join(dir, "run/loop.env"), join(dir, "home/.loop/loop.env"));
  symlinkSync(join(dir, "disk"), join(dir, "home/.loop/data"));
  const [home, checkout] = [join(dir, "home"), join(dir, "home/work/checkout")];
  const own = [join(home, ".loop/loop.env"), join(home, ".loop/data/loop.db")];
  const hidden = hiddenPaths({ own, around: [home] }, [checkout]);
  expect(hidden.outermost).toEqual(
    [join(dir, "data/ada"), join(dir, "disk/loop.db"), home, join(dir, "run/loop.env")].toSorted(),
  );
  const rules = await denyRulesOf(hidden, [checkout]);
  for (const file of ["run/loop.env", "disk/loop.db"])
    expect(rules).toContain(`Read(/${join(dir, file)})`);
  const denied = rules.map((rule) => rule.slice("Read(/".length, -1).replace(/\/\*\*$/, ""));
  for (const name of [checkout, join(dir, "data/ada/work/checkout")])
    expect(denied.filter((each) => isWithin(name, each))).toEqual([]);
  const settings = Object(
    sandboxSettings(
      { ...order, checkout, alsoIn: [], read: [], write: [] },
      { ...around, hidden, programs: [] },
    ),
  );
  expect(settings.sandbox.filesystem.allowRead).toContain(join(dir, "data/ada/work/checkout"));
});

test("what links in the home lead to is hidden where logins may lie there, and tools stay", async () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "loop-links-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const links = [".ssh", ".aws", ".nvm", ".kept", "tools", ".gone"];
  mkdirSync(join(dir, "home/.config"), { recursive: true });
  mkdirSync(join(dir, "home/dotfiles/zsh"), { recursive: true });
  for (const name of links) symlinkSync(join(dir, "data", name), join(dir, "home", name));
  symlinkSync(join(dir, "home/dotfiles/zsh"), join(dir, "home/.zsh"));
  symlinkSync(join(dir, "data/.ssh"), join(dir, "home/.config/gh"));
  for (const folder of [".ssh", ".nvm/bin", ".kept", "tools/bin"])
    mkdirSync(join(dir, "data", folder), { recursive: true });
  writeFileSync(join(dir, "data/.aws"), "[default]");
  const found = await linkedLogins(join(dir, "home"), { PATH: "/usr/bin" }, [
    join(dir, "data/.kept"),
  ]);
  expect(found.toSorted()).toEqual([join(dir, "data/.aws"), join(dir, "data/.ssh")]);
  expect(await linkedLogins(join(dir, "home/.config"), {}, [])).toEqual([join(dir, "data/.ssh")]);
  expect(await linkedLogins(join(dir, "nowhere"), {}, [])).toEqual([]);
});

test("what is open under another name of loop's own is not opened", () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "loop-links-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, "state"));
  symlinkSync(join(dir, "state"), join(dir, "tools"));
  const found = hiddenPaths({ own: [join(dir, "state")], around: [] }, [join(dir, "tools")], []);
  expect(found.tooOpen).toEqual([join(dir, "tools")]);
});

test("every path of loop's own below an open folder is hidden, wherever the folders around it stand", () => {
  const paths = fc
    .array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 5 })
    .map((names) => `/nowhere/${names.join("/")}`);
  const lists = fc.array(paths, { maxLength: 6 });
  fc.assert(
    fc.property(lists, lists, lists, lists, (own, home, open, work) => {
      const found = hiddenPaths({ own, around: home }, [...work, ...open], work);
      const { outermost, inOpen, tooOpen } = found;
      const deepest = (file: string, folders: readonly string[]): number =>
        Math.max(-1, ...folders.filter((each) => isWithin(file, each)).map((each) => each.length));
      const opened = [...work, ...open].filter((each) => !tooOpen.includes(each));
      for (const file of own.filter((each) => !work.includes(each))) {
        const closed = deepest(file, [...outermost, ...inOpen]);
        // Only what a turn works in, or has open by its own name, may lie deeper than what hides a
        // file.
        expect([file, closed > deepest(file, opened)]).toEqual([file, true]);
      }
      expect(tooOpen.filter((each) => work.includes(each))).toEqual([]);
    }),
  );
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

describe("files and folders that variables name outside of the home", () => {
  /** Folder of one test, its files as they are given; programs end with `*`. */
  function place(...files: readonly string[]) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "loop-named-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const at = (name: string): string => join(folder, name);
    for (const file of files) {
      const name = file.replace("*", "");
      mkdirSync(join(at(name), ".."), { recursive: true });
      if (name.endsWith("/")) mkdirSync(at(name));
      else writeFileSync(at(name), "", { mode: file.endsWith("*") ? 0o755 : 0o600 });
    }
    return { folder, at };
  }

  test("are hidden where they are known for logins, unless passEnv hands a variable on", async () => {
    const { at } = place(
      ...["kube", "more", "docker/", "aws", "gcp", "cargo/credentials.toml", "config/"],
      "runtime/containers/auth.json",
    );
    const env = {
      KUBECONFIG: `${at("kube")}:${at("more")}`,
      DOCKER_CONFIG: at("docker"),
      AWS_SHARED_CREDENTIALS_FILE: at("aws"),
      GOOGLE_APPLICATION_CREDENTIALS: at("gcp"),
      CARGO_HOME: at("cargo"),
      XDG_CONFIG_HOME: at("config"),
      XDG_RUNTIME_DIR: at("runtime"),
      NETRC: at("absent"),
      PGPASSFILE: "relative",
    };
    expect((await namedLogins(env, ["GOOGLE_APPLICATION_CREDENTIALS"])).toSorted()).toEqual(
      [
        ...["aws", "cargo/credentials.toml", "config", "docker", "kube", "more"],
        "runtime/containers",
      ].map(at),
    );
  });

  test.each([
    ["REGISTRY_AUTH_FILE", ""],
    ["TF_CLI_CONFIG_FILE", ""],
    ["AWS_WEB_IDENTITY_TOKEN_FILE", ""],
    ["SOPS_AGE_KEY_FILE", ""],
    ["KRB5CCNAME", "FILE:"],
    ["RCLONE_CONFIG", ""],
    ["ANSIBLE_VAULT_PASSWORD_FILE", ""],
    ["GLAB_CONFIG_DIR", ""],
    ["A_LOGIN_OF_2031", "file://"],
    ["database", "sqlite:"],
  ])("are hidden under a name that nobody listed: %s=%s…", async (name, prefix) => {
    const { at } = place("logins/own");
    const named = at(name.endsWith("_DIR") ? "logins" : "logins/own");
    expect(await namedLogins({ [name]: `${prefix}${named}` }, [])).toEqual([named]);
    expect(await namedLogins({ [name]: `${prefix}${named}` }, [name])).toEqual([]);
    expect(await namedLogins({ [name]: `${prefix}${named}` }, [], [named])).toEqual([]);
    expect(await namedLogins({ [name]: `${prefix}${named}` }, [], [at("logins")])).toEqual([]);
  });

  test.each([
    ["ANSIBLE_VAULT_PASSWORD_FILE", "a program that prints one", "own*", true],
    ["EDITOR", "a program", "own*", false],
    ["JDK", "a folder of programs", "bin/java*", false],
    ["SDK", "a folder whose programs are found by PATH", "tool/run*", false],
    ["NVM_DIR", "a version manager's folder", "nvm.sh", false],
    ["GOPATH", "a tool's folder", "src/x", false],
    ["npm_config_cache", "a cache", "x/y", false],
    ["XDG_RUNTIME_DIR", "the system's folder of sockets", "bus", false],
    ["PWD", "the present folder", "x", false],
    ["TMPDIR", "the temporary folder", "x", false],
    ["NOTES_DIR", "a folder of anything", "x", true],
  ])("%s, %s, is hidden: %s", async (name, _what, file, isHidden) => {
    const { folder, at } = place(file);
    const named = /own|tool/.test(file) ? at(file.split("/")[0]?.replace("*", "") ?? "") : folder;
    const env = { [name]: named, ...(file.startsWith("tool") ? { PATH: at("tool") } : {}) };
    expect(await namedLogins(env, [])).toEqual(isHidden ? [named] : []);
  });

  test("that hold certificates alone stay readable, and one with a key in it doesn't", async () => {
    const { at } = place("ca.pem", "both.pem");
    const certificate = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";
    writeFileSync(at("ca.pem"), certificate);
    writeFileSync(at("both.pem"), `${certificate}-----BEGIN PRIVATE KEY-----\nAA==\n`);
    const names = ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO", "OF_2031"];
    expect(
      await namedLogins(Object.fromEntries(names.map((name) => [name, at("ca.pem")])), []),
    ).toEqual([]);
    expect(await namedLogins({ SSL_CERT_FILE: at("both.pem") }, [])).toEqual([at("both.pem")]);
  });

  test("are left alone where the system keeps what everybody may read, and where a whole disk would go", async () => {
    const env = {
      A: "/usr/bin/env",
      B: "/etc/passwd",
      C: "/",
      D: "/usr",
      E: "/dev/null",
      F: "/tmp",
    };
    expect(await namedLogins(env, [])).toEqual([]);
  });

  test("the whole environment of a machine names no login but those that are some", async () => {
    const { at } = place("token");
    expect(await namedLogins({ ...process.env, AN_OWN_TOKEN: at("token") }, [])).toContain(
      at("token"),
    );
  });
});
