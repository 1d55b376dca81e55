import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  compileCache,
  createPracticeHost,
  freePort,
  type PracticeHost,
} from "@loopwork-tooling/practice-host";

export type StoreKind = "sqlite" | "postgres";

/** The small world of one cell: a practice host, a home, a state root, the fixture harness. */
export type Scene = {
  readonly folder: string;
  readonly home: string;
  readonly stateRoot: string;
  readonly host: PracticeHost;
  readonly webhookUrl: string;
  readonly healthUrl: string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * For a second process of the same instance, with a state root, checkouts and a port of its own
   * and the same home: it takes over once the first has lost the store.
   */
  readonly heirEnv: Readonly<Record<string, string>>;
  readonly storeUrl: string;
  readonly trustFile: string;
  readonly log: string;
  /** Where the struck process notes how often it came by its point. */
  readonly passages: string;
  end(): Promise<void>;
};

/** None of these may ever stand in a log, a prompt or a post. */
export const secrets = { webhook: "hush-webhook-5d1c9e", token: "hush-token-83aa70" } as const;

export const instance = "north";

/** What another program has in the file with the trust keys; our keys go beside it. */
export const foreignTrust =
  '"numStartups":  7,\n\t"tipsHistory" : { "a":1, "b" : [ 1,2 ,3 ] },\n  "theme": "d\\u00e4rk"';

/** `storeUrl` null for a file of SQLite in the state root. */
export async function createScene(storeUrl: string | null): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), "loop-matrix-"));
  const host = await createPracticeHost({
    owner: "practice",
    repo: "garden",
    users: [
      { login: "ada", token: "practice-ada" },
      { login: "loop-agent", token: secrets.token },
    ],
  });
  const port = await freePort();
  const [home, stateRoot] = [join(folder, "home"), join(folder, "state")];
  const configDir = join(home, ".claude");
  mkdirSync(configDir, { recursive: true });
  mkdirSync(stateRoot);
  writeFileSync(
    join(home, ".gitconfig"),
    "[user]\n\tname = Practice Agent\n\temail = agent@practice.invalid\n",
  );
  const trustFile = join(configDir, ".claude.json");
  writeFileSync(trustFile, `{ ${foreignTrust} }\n`);
  const configFile = join(folder, "cli-config.yaml");
  writeFileSync(configFile, configOf(host, port, storeUrl !== null));
  const env = {
    ...compileCache(),
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    TMPDIR: folder,
    CLAUDE_CONFIG_DIR: configDir,
    LOOP_CONFIG: configFile,
    LOOP_HOST_WEBHOOK_SECRET: secrets.webhook,
    LOOP_HOST_TOKEN: secrets.token,
    ...(storeUrl === null ? {} : { LOOP_STORE_URL: storeUrl }),
  };
  const heirConfig = join(folder, "heir-config.yaml");
  writeFileSync(
    heirConfig,
    configOf(host, await freePort(), storeUrl !== null)
      .replace("root: state", "root: heir")
      .replace("root: checkouts", "root: heir-checkouts"),
  );
  const heirEnv = { ...env, LOOP_CONFIG: heirConfig };
  const base = `http://127.0.0.1:${port}`;
  const end = async (): Promise<void> => {
    await host.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  return {
    folder,
    home,
    stateRoot,
    host,
    webhookUrl: `${base}/host-webhook`,
    healthUrl: `${base}/health`,
    env,
    heirEnv,
    storeUrl: storeUrl ?? `sqlite:${join(stateRoot, "loop.db")}`,
    trustFile,
    log: join(folder, "daemon.log"),
    passages: join(folder, "passages"),
    end,
  };
}

function configOf(host: PracticeHost, port: number, shared: boolean): string {
  const fixture = fileURLToPath(
    new URL("../../../fixture-harness/bin/fixture-claude", import.meta.url),
  );
  return [
    `instance: { name: ${instance} }`,
    "state: { root: state }",
    ...(shared ? ["store: { urlEnv: LOOP_STORE_URL }"] : []),
    "service: { enabled: false }",
    `webhooks: { hostWebhook: { enabled: true, port: ${port} } }`,
    "routing:",
    "  repositories: [practice/garden]",
    "  authorizedUsers: [ada]",
    "  workspace: { root: checkouts }",
    "  coalesce: { quietSeconds: 0, maxSeconds: 0 }",
    `integrations: { codeHost: { host: ${JSON.stringify(new URL(host.url).host)}, apiBaseUrl: ${JSON.stringify(host.apiUrl)} } }`,
    `harnesses: { A: { command: ${JSON.stringify(fixture)} } }`,
    "",
  ].join("\n");
}
