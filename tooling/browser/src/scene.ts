import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  compileCache,
  createPracticeHost,
  freePort,
  type PracticeHost,
} from "@loopwork-tooling/practice-host";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const fixture = join(root, "tooling/fixture-harness/bin/fixture-claude");

/**
 * The real service in a scratch folder, with a practice host in front of it and a scripted harness
 * behind it.
 */
export type Scene = {
  readonly host: PracticeHost;
  /** Address of the dashboard, without the token. */
  readonly url: string;
  readonly token: string;
  refOf(number: number): string;
  /** Asks the service as the page does. */
  ask(path: string, write?: { readonly method: "POST"; readonly body: object }): Promise<unknown>;
  /**
   * Resolves once `seen` is true of what `path` answers; rejects after a minute, with the last
   * answer.
   */
  until(path: string, seen: (answer: string) => boolean): Promise<void>;
  stopService(): Promise<void>;
  startService(): Promise<void>;
  close(): Promise<void>;
};

/**
 * What a scene is about. `before` may put something into the state root before the service comes
 * up.
 */
export type SceneOptions = {
  readonly owner: string;
  readonly repo: string;
  readonly before?: (stateRoot: string) => Promise<void>;
};

export async function openScene(
  { owner, repo, before }: SceneOptions = { owner: "practice", repo: "garden" },
): Promise<Scene> {
  const scratch = mkdtempSync(join(tmpdir(), "loop-browser-"));
  const [webhooks, port] = [await freePort(), await freePort()];
  const users = ["ada", "loop-agent", "mallory"].map((login) => ({
    login,
    token: `practice-token-${login}`,
  }));
  const host = await createPracticeHost({
    users,
    secret: "practice-secret",
    owner,
    repo,
    files: { "README.md": `# ${repo}\n` },
    webhookUrl: `http://127.0.0.1:${webhooks}/host-webhook`,
  });
  const env = writeFiles(scratch, host, webhooks, port);
  await before?.(join(scratch, ".loop"));
  const url = `http://127.0.0.1:${port}/`;
  let service: ChildProcess | null = null;
  const startService = async (): Promise<void> => {
    service = spawn(
      process.execPath,
      [join(root, "packages/cli/dist/bin.js"), "daemon", "service"],
      { env, cwd: scratch, stdio: ["ignore", "ignore", "inherit"] },
    );
    await waitFor(
      async () => (await fetch(`${url}health`).catch(() => null))?.ok === true,
      () => "the service did not come up",
    );
  };
  const stopService = async (): Promise<void> => {
    const running = service;
    service = null;
    if (running === null || running.exitCode !== null) return;
    const ended = once(running, "exit");
    running.kill("SIGTERM");
    await ended;
  };
  await startService();
  const token = readFileSync(join(scratch, ".loop", "control-plane.token"), "utf8").trim();
  const ask: Scene["ask"] = async (path, write) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(
      `${url}api/v1${path}`,
      write === undefined
        ? { headers }
        : { method: write.method, headers, body: JSON.stringify(write.body) },
    );
    return response.json();
  };
  return {
    host,
    url,
    token,
    refOf: (number) => `host:${new URL(host.url).host}/${host.fullName}#${number}`,
    ask,
    async until(path, seen) {
      let last = "";
      await waitFor(
        async () => seen((last = JSON.stringify(await ask(path)))),
        () => `${path} never answered as it should: ${last}`,
      );
    },
    startService,
    stopService,
    async close() {
      await stopService();
      await host.stop();
      rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

async function waitFor(seen: () => Promise<boolean>, complaint: () => string): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end;) {
    if (await seen()) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(complaint());
}

/**
 * Everything that the service reads lies in the scratch folder; of this user's own surroundings
 * only the path stays.
 */
function writeFiles(
  scratch: string,
  host: PracticeHost,
  webhooks: number,
  port: number,
): Record<string, string> {
  const [state, home] = [join(scratch, ".loop"), join(scratch, "home")];
  for (const folder of [state, home]) mkdirSync(folder, { recursive: true });
  const config = join(state, "cli-config.yaml");
  writeFileSync(
    join(home, ".gitconfig"),
    "[user]\n\tname = Practice Agent\n\temail = agent@practice.invalid\n[init]\n\tdefaultBranch = main\n",
  );
  writeFileSync(
    config,
    [
      `service: { port: ${port} }`,
      `webhooks: { hostWebhook: { enabled: true, port: ${webhooks} } }`,
      "routing:",
      `  repositories: [${host.fullName}]`,
      "  authorizedUsers: [ada]",
      `  workspace: { root: ${JSON.stringify(join(scratch, "workspaces"))} }`,
      "  coalesce: { quietSeconds: 1, maxSeconds: 3 }",
      `integrations: { codeHost: { host: ${JSON.stringify(new URL(host.url).host)}, apiBaseUrl: ${JSON.stringify(host.apiUrl)} } }`,
      `harnesses: { A: { command: ${JSON.stringify(fixture)}, passEnv: [LOOP_PRACTICE, LOOP_PRACTICE_API, LOOP_PRACTICE_TOKEN] } }`,
      "",
    ].join("\n"),
  );
  return {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`,
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, ".claude"),
    LOOP_CONFIG: config,
    LOOP_HOST_WEBHOOK_SECRET: "practice-secret",
    LOOP_HOST_TOKEN: "practice-token-loop-agent",
    ...compileCache(),
    LOOP_PRACTICE: "1",
    LOOP_PRACTICE_API: host.apiUrl,
    LOOP_PRACTICE_TOKEN: "practice-token-loop-agent",
  };
}
