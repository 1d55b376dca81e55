import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "@loopwork/core/config";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { faultOfLine, knownCommands } from "../src/commands.ts";
import { filesOf, root, textOf } from "../src/repository.ts";

const folder = "examples/many-machines";
const commands = knownCommands();

type Compose = {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image?: string;
        readonly build?: { readonly dockerfile_inline: string };
        readonly command?: readonly string[];
        readonly environment?: Readonly<Record<string, string>>;
        readonly ports?: readonly string[];
        readonly depends_on?: unknown;
        readonly configs?: readonly { readonly source: string; readonly target: string }[];
      }
    >
  >;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a file of this repository; what is missing fails below
const compose = parse(textOf(`${folder}/compose.yaml`) ?? "", { merge: true }) as Compose;
const doors = Object.entries(compose.services).filter(([, { command }]) => command !== undefined);

/** The words after `loop`, wherever a program stands. */
function commandLine(line: string): string {
  return line.replace(/^.*?\/?\bloop (?=[a-z])/, "loop ").replace(/'$/, "");
}

test("the compose file brings up two receivers behind one balancer, on a database that keeps checksums", () => {
  expect(Object.keys(compose.services)).toEqual(["db", "door-1", "door-2", "balancer"]);
  expect(compose.services["db"]?.environment?.["POSTGRES_INITDB_ARGS"]).toContain(
    "--data-checksums",
  );
  expect(doors.map(([name]) => name)).toEqual(["door-1", "door-2"]);
  for (const [, { command = [], build }] of doors) {
    expect(faultOfLine(command.join(" "), commands, new Set())).toBeNull();
    expect(build?.dockerfile_inline).toMatch(
      /npm install --global @loopwork\/cli @loopwork\/store-postgres$/m,
    );
  }
  // What a service takes of the file stands in the file.
  for (const { configs = [] } of Object.values(compose.services))
    for (const { source } of configs) expect(Object.keys(compose.configs)).toContain(source);
  for (const { ports = [] } of Object.values(compose.services))
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  expect(JSON.stringify(compose)).not.toMatch(/postgres:\/\/loop:[^$]/);
});

test("the versions in it are ones that loop takes", () => {
  const manifest: unknown = JSON.parse(textOf("packages/cli/package.json") ?? "{}");
  expect(manifest).toMatchObject({
    peerDependenciesMeta: { "@loopwork/store-postgres": { optional: true } },
  });
  expect(
    Number(/^postgres:(\d+)$/.exec(compose.services["db"]?.image ?? "")?.[1]),
  ).toBeGreaterThanOrEqual(14);
});

const configurations = [
  ...Object.entries(compose.configs)
    .filter(([name]) => name.startsWith("door-"))
    .map(([name, { content }]) => [`compose.yaml, ${name}`, content] as const),
  ...["worker.yaml", "receiver.yaml"].map(
    (name) => [name, textOf(`${folder}/${name}`) ?? ""] as const,
  ),
];

test.each(configurations)(
  "%s is a configuration that loop takes, of a store that is shared",
  (name, text) => {
    const parsed = parseConfig(text, { file: name });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    expect(parsed.config.store.urlEnv).toBe("LOOP_STORE_URL");
    expect(parsed.config.instance.name).not.toBe("default");
    // A receiver takes nothing new to work on.
    expect(parsed.config.instance.scope.mode).toBe(name === "worker.yaml" ? "open" : "locked");
    for (const variable of [
      parsed.config.store.urlEnv,
      ...(name.startsWith("compose") ? [parsed.config.webhooks.hostWebhook.secretEnv] : []),
    ])
      if (name.startsWith("compose"))
        for (const [, { environment = {} }] of doors)
          expect(Object.keys(environment)).toContain(variable);
  },
);

const units = filesOf(`${folder}/systemd/*.service`);

test.each(units)(
  "%s: its commands exist, and the files it names are those of this folder",
  (file) => {
    const text = textOf(file) ?? "";
    const lines = [...text.matchAll(/^ExecStart=(.*)$/gm)].map(([, line = ""]) => line);
    expect(lines).toHaveLength(1);
    for (const line of lines)
      expect(faultOfLine(commandLine(line), commands, new Set()), line).toBeNull();
    for (const [, name = ""] of text.matchAll(/\/etc\/loop\/([a-z-]+\.yaml)/g))
      expect(filesOf(`${folder}/*.yaml`)).toContain(`${folder}/${name}`);
    for (const secret of ["LOOP_STORE_URL=", "SECRET=", "TOKEN="])
      expect(text).not.toContain(secret);
    expect(text).toMatch(/^EnvironmentFile=\/etc\/loop\/[a-z]+\.env$/m);
  },
);

test("the check can fail: a command or option that is not there", () => {
  expect(
    faultOfLine(
      commandLine("/usr/local/bin/loop daemon host-webhook --port 1"),
      commands,
      new Set(),
    ),
  ).toContain("--port");
  expect(
    faultOfLine(
      commandLine("/bin/sh -c 'exec /usr/local/bin/loop store dance'"),
      commands,
      new Set(),
    ),
  ).toContain("store dance");
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.runIf(hasSystemd)("systemd reads the units without a complaint", { timeout: 120_000 }, () => {
  const copy = mkdtempSync(join(tmpdir(), "loop-units-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(join(root, folder, "systemd"), copy, { recursive: true });
  const names = readdirSync(copy);
  // It looks for the program and for nothing else that would have to be installed.
  for (const name of names)
    writeFileSync(
      join(copy, name),
      readFileSync(join(copy, name), "utf8").replaceAll("/usr/local/bin/loop", "/bin/true"),
    );
  const verify = (): { readonly status: number | null; readonly said: string } => {
    const { status, stderr, stdout } = spawnSync(
      "systemd-analyze",
      ["verify", "--man=no", ...names.map((name) => join(copy, name))],
      { encoding: "utf8" },
    );
    return {
      status,
      said: `${stdout}${stderr}`
        .split("\n")
        .filter((line) => line.includes("loop-"))
        .join("\n"),
    };
  };
  expect(verify()).toEqual({ status: 0, said: "" });
  writeFileSync(join(copy, "loop-worker.service"), "[Service]\nExecStart=loop\nRestrat=always\n");
  expect(verify().said).toContain("Restrat");
});
