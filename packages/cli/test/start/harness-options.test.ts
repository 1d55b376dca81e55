import { promptText } from "@loopwork/core/ports";
import { join } from "node:path";
import { expect, test } from "vitest";
import { schemaKeys } from "@loopwork/core/config";
import { createRunProcess } from "../../src/processes/run-process.ts";
import { connectHarnesses } from "../../src/start/harnesses.ts";
import {
  agentEnvironmentOf,
  loadConfig,
  noDaemons,
  runtimeSettings,
} from "../../src/configuration/load-config.ts";
import { watchConfig } from "../../src/configuration/watch-config.ts";
import { createScene } from "../support/scene.ts";

/**
 * Every option of a harness with another value; `shown` is what a turn has of it, null where the
 * harness has no such option and the configuration says so.
 */
type Row = {
  readonly key: string;
  readonly value: string;
  readonly shown: {
    readonly argv?: string;
    readonly noArgv?: string;
    readonly env?: string;
  } | null;
};

const rows: Readonly<Record<"A" | "B", readonly Row[]>> = {
  A: [
    { key: "harnesses.A.command", value: "/opt/other", shown: { argv: "/opt/other" } },
    { key: "harnesses.A.args", value: "[--model, other]", shown: { argv: "other" } },
    { key: "harnesses.A.env", value: "{ EXTRA: given }", shown: { env: "EXTRA" } },
    { key: "harnesses.A.passEnv", value: "[LOOP_HOST_TOKEN]", shown: { env: "LOOP_HOST_TOKEN" } },
    {
      key: "harnesses.A.permissions",
      value: "bypass",
      shown: { argv: "--dangerously-skip-permissions" },
    },
    { key: "harnesses.A.allowedTools", value: "[zig]", shown: { argv: "Bash(zig)" } },
    { key: "harnesses.A.projectSettings", value: "true", shown: { noArgv: "--setting-sources" } },
  ],
  B: [
    { key: "harnesses.B.command", value: "/opt/other", shown: { argv: "/opt/other" } },
    { key: "harnesses.B.args", value: "[--model, other]", shown: { argv: "other" } },
    { key: "harnesses.B.env", value: "{ EXTRA: given }", shown: { env: "EXTRA" } },
    { key: "harnesses.B.passEnv", value: "[LOOP_HOST_TOKEN]", shown: { env: "LOOP_HOST_TOKEN" } },
    { key: "harnesses.B.permissions", value: "bypass", shown: { argv: "--force" } },
    { key: "harnesses.B.allowedTools", value: "[zig]", shown: null },
    { key: "harnesses.B.projectSettings", value: "true", shown: null },
    { key: "routing.harnessTrust.enabled", value: "false", shown: { noArgv: "--trust" } },
  ],
};

/** A running service whose file is changed; what the next turn is started with. */
async function running(harness: "A" | "B") {
  const scene = createScene("");
  Object.assign(scene.env, { LOOP_HOST_TOKEN: "t-secret" });
  const config = watchConfig(loadConfig(scene.configFile, scene), noDaemons, scene, () => {});
  const connected = (await connectHarnesses(config.loaded, scene, createRunProcess()))[harness];
  const plan = () => {
    const request = {
      mode: "start",
      sessionId: crypto.randomUUID(),
      receipt: crypto.randomUUID(),
      prompt: promptText("hello"),
      workdir: scene.cwd,
      turnDir: join(scene.dir, "turn"),
      env: agentEnvironmentOf(config.loaded(), harness),
    } as const;
    const planned = connected?.turns.plan(request);
    if (planned === undefined) throw new Error("not connected");
    return planned;
  };
  const set = (key: string, value: string): void =>
    scene.configure(
      `${key
        .split(".")
        .map((part) => `{ ${JSON.stringify(part)}: `)
        .join("")}${value}${" }".repeat(key.split(".").length)}\n`,
    );
  return {
    plan,
    set,
    settings: () => runtimeSettings(config.loaded()),
    warnings: () => config.loaded().warnings.map(({ path }) => path),
    scene,
  };
}

const cases = (["A", "B"] as const).flatMap((harness) =>
  rows[harness].map((row) => ({ harness, ...row })),
);

test.each(cases)(
  "$key: the next turn has it, or the configuration says that it has no effect",
  async ({ harness, key, value, shown }) => {
    const { plan, set, warnings } = await running(harness);
    const has = ({ argv, env }: ReturnType<typeof plan>): boolean =>
      shown?.env === undefined
        ? argv.includes(shown?.argv ?? shown?.noArgv ?? "")
        : shown.env in env;
    const before = has(plan());
    set(key, value);
    const after = has(plan());
    expect([before, after]).toEqual(
      shown === null ? [false, false] : shown.noArgv === undefined ? [false, true] : [true, false],
    );
    expect(warnings().includes(key)).toBe(shown === null || key.endsWith("permissions"));
  },
);

/** Options of the sandbox are asked for when it is opened, not when the turn is planned. */
const sandboxRows = [
  { key: "harnesses.A.sandbox", value: "required" },
  { key: "harnesses.A.sandboxDomains", value: "[packages.example]" },
  { key: "harnesses.A.sandboxRead", value: "[/opt/tools]" },
  { key: "harnesses.A.sandboxWrite", value: "[/opt/cache]" },
  { key: "harnesses.A.sandboxExclude", value: "[docker *]" },
];

test("the sandbox of the next turn has every option of its own as it was changed", async () => {
  for (const { key, value } of sandboxRows) {
    const { set, settings } = await running("A");
    const shown = (): unknown => [settings().config.harnesses.A, settings().sandbox];
    const word = value.replaceAll(/[[\]]/g, "");
    expect(JSON.stringify(shown()), key).not.toContain(word);
    set(key, value);
    expect(JSON.stringify(shown()), key).toContain(word);
  }
});

test("there is a row for every option of both harnesses", () => {
  const all = schemaKeys()
    .map(({ path }) => path.join("."))
    .filter((path) => /^harnesses\.[AB]\./.test(path));
  const rowed = [...cases, ...sandboxRows]
    .map(({ key }) => key)
    .filter((key) => key.startsWith("harnesses."));
  expect(rowed.toSorted()).toEqual(all.toSorted());
});

test("arguments that would break a turn are refused for the next turn as they are at the start", async () => {
  for (const [harness, args] of [
    ["A", "[--resume, x]"],
    ["B", "[--trust]"],
  ] as const) {
    const { plan, set } = await running(harness);
    set(`harnesses.${harness}.args`, args);
    expect(() => plan()).toThrow(expect.objectContaining({ code: "LOOP_E_HARNESS_ARGS" }));
  }
});

test("where Cursor may not mark workspaces as trusted, neither does a question that it is asked by the way", async () => {
  const { scene } = await running("B");
  const asked = async (): Promise<readonly string[]> => {
    const { B } = await connectHarnesses(
      () => loadConfig(scene.configFile, scene),
      scene,
      createRunProcess(),
    );
    return (
      B?.oneShots?.plan({
        sessionId: crypto.randomUUID(),
        prompt: promptText("hello"),
        workdir: scene.cwd,
        schema: {},
        env: scene.env,
      }).argv ?? []
    );
  };
  expect(await asked()).toContain("--trust");
  scene.configure("routing: { harnessTrust: { enabled: false } }\n");
  expect(await asked()).not.toContain("--trust");
});
