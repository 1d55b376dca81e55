import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileCache } from "@loopwork-tooling/practice-host";
import { expect, onTestFinished, test } from "vitest";

const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
/** As the modules of this tree begin; a clone may lie anywhere, also in a folder named packages. */
const packages = new URL("../../../", import.meta.url).href;
const preload = new URL("../support/loaded-modules.ts", import.meta.url).href;

/** What decides, reads the text of comments or parses configurations: all but the entry `./ports`. */
const heavyInCore =
  /^core\/src\/(?:(?:index|flow|keywords|learnings|config)\.ts|(?:decide|linking|own-writing|explain|redaction|poll|canary|manifest|testing)\/|control\/(?!instance-life)|text\/(?!ago|hidden-characters)|config\/(?!loopback|secret-value)|event\/normalise|learnings\/(?!block|inject|vocabulary))/;

// Time is for the benchmark (`bench startup`); what made it slow once was one import of the whole
// core.
test.each([["--help"], ["hook", "pre-tool"]])(
  "`loop %s` loads of the core only what its ports need, and no other package than it needs",
  (...args) => {
    const own = ownOf(loadedBy(args));

    expect(own.filter((file) => heavyInCore.test(file))).toEqual([]);
    expect(
      own.filter(
        (file) =>
          !/^(?:core|cli|runtime\/src\/(?:sha256|unwind)\.|harness-a\/src\/(?:ledger|terminal\/events|hook-line|fields)\.)/.test(
            file,
          ),
      ),
    ).toEqual([]);
    expect(own.length).toBeGreaterThan(4);
  },
);

test.each([["--help"], ["hook", "pre-tool"], ["sessions", "list"], ["status"]])(
  "`loop %s` loads neither Express nor schemas nor the SDK of MCP nor tracing: those are the service's",
  (...args) => {
    expect(
      loadedBy(args, [0, 1]).filter((url) =>
        /node_modules\/.*(?:express|zod|@modelcontextprotocol|prom-client)|\/tracing\//.test(url),
      ),
    ).toEqual([]);
  },
);

const stop = JSON.stringify({
  session_id: "0b2d1c3a-1111-4222-8333-444455556666",
  transcript_path: "/t.jsonl",
  hook_event_name: "Stop",
  stop_hook_active: false,
});
const posted = JSON.stringify({
  session_id: "0b2d1c3a-1111-4222-8333-444455556666",
  hook_event_name: "PostToolUse",
  tool_name: "Bash",
  tool_input: { command: "npm test" },
  tool_response: { stdout: "42 passed" },
});

// Every turn of every session with the plugin runs these, whether it has anything to do with loop
// or not.
test.each<[string, readonly string[], string, string | null]>([
  ["`check` without a configuration", ["check"], "", null],
  ["the Stop gate without a configuration", ["hook", "stop"], stop, null],
  [
    "the Stop gate of a work item that goes through no graph",
    ["hook", "stop"],
    stop,
    "routing: { repositories: [octo/shop] }\n",
  ],
  [
    "a tool that neither posted nor opened anything",
    ["hook", "post-tool"],
    posted,
    "routing: { graph: { specDir: specs } }\n",
  ],
])(
  "%s loads of the core what its ports need at most, and neither a store nor anything that reads YAML, hashes or starts programs",
  (_, args, input, config) => {
    const loaded = loadedBy(args, [0], {
      input,
      config,
      env: { LOOP_WORK_ITEM: "host:octo/shop#7" },
    });
    expect(ownOf(loaded).filter((file) => heavyInCore.test(file))).toEqual([]);
    expect(
      ownOf(loaded).filter((file) =>
        /^(?:store|workspace|codehost|receiver|control-plane|learnings)\//.test(file),
      ),
    ).toEqual([]);
    expect(
      loaded.filter((url) => /node_modules\/.*yaml|^node:(?:crypto|child_process)$/.test(url)),
    ).toEqual([]);
  },
);

const inGraph = {
  config: "routing: { graph: { specDir: specs } }\n",
  env: { LOOP_WORK_ITEM: "host:octo/shop#7" },
};

test.each(["hook stop", "check"])(
  "`loop %s` with a graph to look at loads what tells where work stands, and nothing that decides, opens for writing, parses command lines, or takes Node itself long",
  (words) => {
    const loaded = loadedBy(words.split(" "), [0, 1], { ...inGraph, input: stop, checkout: true });
    for (const part of [
      "/packages/core/src/graph/progress.ts",
      "/packages/store/src/records.ts",
      "yaml",
    ])
      expect([part, loaded.some((url) => url.includes(part))]).toEqual([part, true]);
    expect(
      loaded.filter((url) =>
        /\/packages\/core\/src\/(?:index|flow)\.ts|\/core\/src\/(?:decide|control(?!\/instance-life)|linking)\/|\/core\/src\/event\/normalise\.ts|\/store\/src\/(?:index|memory|postgres)|node_modules\/.*commander|^node:(?:crypto|child_process)$/.test(
          url,
        ),
      ),
    ).toEqual([]);
  },
);

test("what a configuration came to is remembered where there is a state root: the next look reads no YAML, and a changed one counts at once", () => {
  const home = temporaryHome();
  mkdirSync(join(home, ".loop"));
  const look = (config: string, exits: number): boolean =>
    loadedBy(["check"], [exits], {
      ...inGraph,
      config,
      home,
      checkout: !existsSync(join(home, ".git")),
    }).some((url) => url.includes("yaml"));
  expect([look(inGraph.config, 1), look(inGraph.config, 1)]).toEqual([true, false]);
  // Neither what stood there before nor what cannot be read is taken for it.
  expect(look("routing: { graph: { specDir: '' } } # none\n", 0)).toBe(true);
  expect(look(inGraph.config, 1)).toBe(true);
  const remembered = join(home, ".loop", "remembered-configs");
  const [name = ""] = readdirSync(remembered);
  writeFileSync(join(remembered, name), "{ half");
  expect([look(inGraph.config, 1), look(inGraph.config, 1)]).toEqual([true, false]);
  expect(statSync(join(remembered, name)).mode & 0o777).toBe(0o600);
});

test("whoever only looks where work stands leaves no store behind", () => {
  const home = temporaryHome();
  loadedBy(["check"], [1], { ...inGraph, home, checkout: true });
  expect(
    readdirSync(home)
      .filter((name) => name !== ".git")
      .toSorted(),
  ).toEqual(["cli-config.yaml", "loaded"]);
});

test("a command that reads the configuration does load the core, so that the test above can fail", () => {
  expect(
    ownOf(loadedBy(["sessions", "list"])).filter((file) => file.startsWith("core/")).length,
  ).toBeGreaterThan(20);
});

// Somebody looks at these often, and reading a record decides nothing.
test.each(["sessions list", "turns list", "events", "instances list"])(
  "`loop %s` loads nothing that understands or decides what happens",
  (words) => {
    expect(
      ownOf(loadedBy(words.split(" "))).filter((file) =>
        /^core\/src\/(?:index|flow)\.ts|^core\/src\/(?:decide|own-writing)\/|^core\/src\/event\/normalise\.ts/.test(
          file,
        ),
      ),
    ).toEqual([]);
  },
);

test("the notes of a project are told without the configuration, YAML, or what reads language: a session waits for its hook", () => {
  const home = temporaryHome();
  for (const folder of [".git", ".loop", "docs/learnings"])
    mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(
    join(home, "docs/learnings/learnings.md"),
    "<!-- loop:learnings v1; managed block, edit text freely, keep ids -->\n## testing\n- [001] Start the database first\n<!-- /loop:learnings -->\n",
  );
  const call = { hook_event_name: "SessionStart", session_id: "s", source: "startup", cwd: home };
  const loaded = loadedBy(["hook", "session-start"], [0], {
    home,
    input: JSON.stringify(call),
    env: { LOOP_TURN_DIR: "/turn", LOOP_WORK_ITEM: "host:octo/shop#7" },
  });
  expect(
    loaded.filter((url) => url.includes("/learnings/")).map((url) => url.split("/packages/")[1]),
  ).toEqual(
    expect.arrayContaining(["core/src/learnings/inject.ts", "learnings/src/index-for-session.ts"]),
  );
  expect(
    loaded.filter((url) => /\/yaml\/|normal-form|load-config|packages\/store/.test(url)),
  ).toEqual([]);
});

/** Files of the packages, such as `core/src/errors.ts`. */
function ownOf(urls: readonly string[]): readonly string[] {
  return urls
    .filter((url) => url.startsWith(packages))
    .map((url) => url.slice(packages.length).split("?", 1)[0] ?? "");
}

function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), "loop-light-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

type Around = {
  readonly home?: string;
  /** The working directory is one with a commit. */ readonly checkout?: boolean;
  readonly input?: string;
  /** Text of the configuration, which `LOOP_CONFIG` names. */ readonly config?: string | null;
  readonly env?: Readonly<Record<string, string>>;
};

function loadedBy(
  args: readonly string[],
  expected: readonly (number | null)[] = [0],
  { home = temporaryHome(), input = "", config = null, env = {}, checkout = false }: Around = {},
): string[] {
  for (const words of checkout
    ? [
        ["init", "-q"],
        ["commit", "-q", "--allow-empty", "-m", "begin"],
      ]
    : [])
    expect(
      spawnSync("git", ["-c", "user.name=ada", "-c", "user.email=ada@loop.invalid", ...words], {
        cwd: home,
      }).status,
    ).toBe(0);
  if (config !== null) writeFileSync(join(home, "cli-config.yaml"), config);
  const list = join(home, "loaded");
  rmSync(list, { force: true });
  const named =
    config === null && !existsSync(join(home, "cli-config.yaml"))
      ? {}
      : { LOOP_CONFIG: join(home, "cli-config.yaml") };
  const around = {
    PATH: process.env["PATH"],
    HOME: home,
    LOADED_MODULES: list,
    ...compileCache(),
    ...named,
    ...env,
  };
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--conditions=@loopwork/source", "--import", preload, bin, ...args],
    { cwd: home, env: around, encoding: "utf8", input },
  );
  expect(stderr).toBe("");
  expect(expected).toContain(status);
  return readFileSync(list, "utf8").trim().split("\n");
}
