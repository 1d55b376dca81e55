import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PracticeHost } from "@loopwork-tooling/practice-host";

/** Paths and environment of one demonstration. Nothing outside of `scratch` is written. */
export type Scene = {
  readonly scratch: string;
  readonly stateRoot: string;
  readonly configFile: string;
  readonly loopBin: string;
  /** As a person would type it. */
  readonly loopCommand: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hostUrl: string;
  readonly firstRef: string;
  readonly turnTimeoutMs: number;
};

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

export function writeScene({
  scratch,
  port,
  servicePort,
  host,
  harness,
  runner,
}: {
  readonly scratch: string;
  readonly port: number;
  readonly servicePort: number;
  readonly host: PracticeHost;
  readonly harness: "practice" | "real";
  readonly runner: "headless" | "tmux";
}): Scene {
  const stateRoot = join(scratch, ".loop");
  const home = join(scratch, "home");
  const configFile = join(stateRoot, "cli-config.yaml");
  const loopBin = join(root, "packages", "cli", "dist", "bin.js");
  mkdirSync(stateRoot, { recursive: true });
  mkdirSync(home, { recursive: true });
  writeFileSync(configFile, configText(scratch, { port, servicePort }, host, harness, runner));
  writeFileSync(
    join(home, ".gitconfig"),
    "[user]\n\tname = Practice Agent\n\temail = agent@practice.invalid\n[init]\n\tdefaultBranch = main\n",
  );
  const variables = {
    LOOP_CONFIG: configFile,
    LOOP_HOST_WEBHOOK_SECRET: "practice-secret",
    LOOP_HOST_TOKEN: "practice-token-agent",
    ...(harness === "real"
      ? {}
      : {
          HOME: home,
          CLAUDE_CONFIG_DIR: join(home, ".claude"),
          LOOP_PRACTICE: "1",
          LOOP_PRACTICE_API: host.apiUrl,
          LOOP_PRACTICE_TOKEN: "practice-token-agent",
        }),
  };
  return {
    scratch,
    stateRoot,
    configFile,
    loopBin,
    loopCommand: writeCommand(join(scratch, "loop"), loopBin, variables),
    hostUrl: host.url,
    firstRef: `host:${host.fullName}#1`,
    turnTimeoutMs: harness === "real" ? 900_000 : 60_000,
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`,
      ...variables,
    },
  };
}

/**
 * A `loop` for this demonstration, short enough to be typed; it knows its configuration and the
 * practice secrets.
 */
function writeCommand(
  file: string,
  loopBin: string,
  variables: Readonly<Record<string, string>>,
): string {
  const words = [
    ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    process.execPath,
    loopBin,
  ].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  writeFileSync(file, `#!/bin/sh\nexec env ${words.join(" ")} "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}

function configText(
  scratch: string,
  { port, servicePort }: { readonly port: number; readonly servicePort: number },
  host: PracticeHost,
  harness: "practice" | "real",
  runner: "headless" | "tmux",
): string {
  const fixture = join(root, "tooling", "fixture-harness", "bin", "fixture-claude");
  return [
    "# Written by npm start, for this demonstration only.",
    `service: { port: ${servicePort} }`,
    "webhooks:",
    `  hostWebhook: { enabled: true, port: ${port} }`,
    "routing:",
    `  repositories: [${host.fullName}]`,
    "  authorizedUsers: [ada]",
    ...(runner === "tmux" ? ["  runner: tmux"] : []),
    `  workspace: { root: ${JSON.stringify(join(scratch, "workspaces"))} }`,
    "  coalesce: { quietSeconds: 1, maxSeconds: 3 }",
    "integrations:",
    `  codeHost: { host: ${JSON.stringify(new URL(host.url).host)}, apiBaseUrl: ${JSON.stringify(host.apiUrl)} }`,
    "harnesses:",
    `  A: { ${harness === "real" ? "" : `command: ${JSON.stringify(fixture)}, `}passEnv: [LOOP_PRACTICE, LOOP_PRACTICE_API, LOOP_PRACTICE_TOKEN] }`,
    "",
  ].join("\n");
}
