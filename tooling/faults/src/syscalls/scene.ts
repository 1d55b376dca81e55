import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileCache, createPracticeHost, freePort } from "@loopwork-tooling/practice-host";
import type { Stage } from "../payloads.ts";
import { calls, type Counts } from "./positions.ts";
import type { Room } from "./room.ts";
import { sendAll } from "./send.ts";
import { startPlain, startTraced, stopProcess, stopTraced, type Traced } from "./traced.ts";

/** One host for all lives; each life has a folder of its own. */
export type ReceivingScene = {
  readonly stage: Stage;
  /** A state root whose store has been made, and is empty. */
  createRoom(): Promise<Room>;
  /** What a life makes of each call when nothing fails. */
  countCalls(): Promise<Counts>;
  end(): Promise<void>;
};

const secret = "practice-secret";

export async function createReceivingScene(): Promise<ReceivingScene> {
  const parent = mkdtempSync(join(tmpdir(), "loop-syscalls-"));
  const host = await createPracticeHost({
    users: [{ login: "loop-agent", token: "practice-token" }],
  });
  const made = join(parent, "made");
  const stage: Stage = {
    owner: "practice",
    repo: "garden",
    hostUrl: host.url,
    cloneUrl: host.cloneUrl,
    secret,
  };
  let rooms = 0;
  const createRoom = async (): Promise<Room> => {
    const [folder, port] = [join(parent, String(++rooms)), await freePort()];
    mkdirSync(join(folder, "home"), { recursive: true });
    if (existsSync(made)) cpSync(made, join(folder, "state"), { recursive: true });
    const configFile = join(folder, "cli-config.yaml");
    writeFileSync(
      configFile,
      [
        "state: { root: state }",
        "service: { enabled: false }",
        `webhooks: { hostWebhook: { enabled: true, port: ${port} } }`,
        "routing: { authorizedUsers: [ada], workspace: { root: checkouts } }",
        `integrations: { codeHost: { host: ${JSON.stringify(new URL(host.url).host)}, apiBaseUrl: ${JSON.stringify(host.apiUrl)} } }`,
        "",
      ].join("\n"),
    );
    // One thread for files: strace counts calls by thread.
    const env = {
      ...compileCache(),
      PATH: process.env["PATH"] ?? "",
      HOME: join(folder, "home"),
      UV_THREADPOOL_SIZE: "1",
      LOOP_CONFIG: configFile,
      LOOP_HOST_WEBHOOK_SECRET: secret,
      LOOP_HOST_TOKEN: "practice-token",
    };
    const base = `http://127.0.0.1:${port}`;
    return {
      folder,
      database: join(folder, "state", "loop.db"),
      url: `${base}/host-webhook`,
      healthUrl: `${base}/health`,
      env,
      log: join(folder, "daemon.log"),
    };
  };
  const first = await createRoom();
  await stopProcess(await startPlain(first));
  cpSync(join(first.folder, "state"), made, { recursive: true });
  return {
    stage,
    createRoom,
    async countCalls() {
      const room = await createRoom();
      const traced = await startTraced(room, null, null);
      await sendAll(stage, room);
      await stopTraced(traced);
      return countsOf(traced);
    },
    async end() {
      await host.stop();
      rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function countsOf({ traces }: Traced): Counts {
  const files = readdirSync(traces).map((name) => readFileSync(join(traces, name), "utf8"));
  const most = (call: string): number =>
    Math.max(
      0,
      ...files.map((text) => text.split("\n").filter((line) => line.startsWith(`${call}(`)).length),
    );
  const [pwrite64, fdatasync, fsync] = calls.map(most);
  return { pwrite64: pwrite64 ?? 0, fdatasync: fdatasync ?? 0, fsync: fsync ?? 0 };
}

/** How often strace made a call of this life fail. */
export function injectionsOf({ traces }: Traced): number {
  const files = existsSync(traces) ? readdirSync(traces) : [];
  return files.reduce(
    (sum, name) => sum + readFileSync(join(traces, name), "utf8").split("(INJECTED)").length - 1,
    0,
  );
}
