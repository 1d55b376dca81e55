import { type ChildProcess, spawn } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { freePort } from "@loopwork-tooling/practice-host";
import { type PostgresServer, startPostgres } from "@loopwork-tooling/postgres";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createScene } from "../support/scene.ts";
import { until } from "../support/until.ts";
import { createWorld, type World } from "../support/world.ts";

const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));

let server: PostgresServer;
beforeAll(async () => void (server = await startPostgres()), 300_000);
afterAll(() => server.stop(), 60_000);

/**
 * A host that only takes deliveries: `loop daemon host-webhook` with a state root of its own, and
 * no harness to be found.
 */
type Receiver = { readonly url: string; readonly process: ChildProcess; log(): string };

async function startReceiver(world: World, name: string): Promise<Receiver> {
  const port = await freePort();
  const scene = createScene(
    [
      "state: { root: state }",
      "service: { enabled: false }",
      `webhooks: { hostWebhook: { port: ${port} } }`,
      "routing: { repositories: [practice/garden], authorizedUsers: [ada] }",
      "store: { urlEnv: STORE_URL }",
      `instance: { name: ${name}, scope: { mode: locked } }`,
    ].join("\n"),
  );
  const env = {
    ...scene.env,
    STORE_URL: server.url(),
    LOOP_HOST_WEBHOOK_SECRET: "practice-secret",
  };
  const child = spawn(
    process.execPath,
    ["--conditions=@loopwork/source", bin, "daemon", "host-webhook"],
    { cwd: scene.cwd, env, stdio: ["ignore", "pipe", "pipe"] },
  );
  let log = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => (log += String(chunk)));
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    }
  });
  const url = `http://127.0.0.1:${port}/host-webhook`;
  await until(
    async () =>
      child.exitCode !== null ||
      (await fetch(new URL("/health", url)).then(
        ({ ok }) => ok,
        () => false,
      )),
    name,
    () => log,
  );
  expect(child.exitCode, log).toBeNull();
  expect(world.scene.dir).not.toBe(scene.dir);
  return { url, process: child, log: () => log };
}

/**
 * Hands each request to the next receiver, and to the one after that when it does not answer, as a
 * load balancer does.
 */
async function balance(
  receivers: readonly Receiver[],
): Promise<{ readonly url: string; readonly taken: ReadonlyMap<string, number> }> {
  const taken = new Map<string, number>();
  let next = 0;
  const balancer = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      next += 1;
      const order = receivers.map((_, n) => receivers[(n + next) % receivers.length]?.url ?? "");
      const headers = Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) =>
          typeof value === "string" && !["host", "connection", "content-length"].includes(name)
            ? [[name, value]]
            : [],
        ),
      );
      void firstAnswer(order, { method: "POST", headers, body: Buffer.concat(chunks) }).then(
        ({ url, status, text }) => {
          taken.set(url, (taken.get(url) ?? 0) + 1);
          response.writeHead(status).end(text);
        },
      );
    });
  });
  balancer.listen(0, "127.0.0.1");
  await once(balancer, "listening");
  onTestFinished(() => void balancer.close());
  const address = balancer.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/host-webhook`,
    taken,
  };
}

async function firstAnswer(
  urls: readonly string[],
  request: RequestInit,
): Promise<{ readonly url: string; readonly status: number; readonly text: string }> {
  for (const url of urls) {
    const answer = await fetch(url, request).then(
      async (response) => ({ url, status: response.status, text: await response.text() }),
      () => null,
    );
    if (answer !== null) return answer;
  }
  return { url: "", status: 502, text: "" };
}

test(
  "two receivers behind a load balancer take deliveries for an instance that has no address; one dies, and nothing is lost or done twice",
  { timeout: 300_000 },
  async () => {
    const world = await createWorld({
      more: "store: { urlEnv: STORE_URL }\ninstance: { name: work-1 }",
    });
    world.scene.env["STORE_URL"] = server.url();
    const service = await world.start();
    const [left, right] = [
      await startReceiver(world, "door-1"),
      await startReceiver(world, "door-2"),
    ];
    const { url, taken } = await balance([left, right]);
    world.host.aim({ url, secret: "practice-secret" });
    const ended = (numbers: readonly number[]): Promise<unknown> =>
      until(
        async () =>
          (await service.turns()).filter(
            ({ state, workItem }) =>
              state === "done" && numbers.some((number) => workItem === world.ref(number)),
          ).length === numbers.length,
        "the turns",
        async () => [...service.said, left.log(), right.log()].join("\n"),
      );

    const before = [world.startIssue(), world.startIssue(), world.startIssue()];
    await ended(before);
    expect([taken.get(left.url) ?? 0, taken.get(right.url) ?? 0].every((count) => count > 2)).toBe(
      true,
    );

    left.process.kill("SIGKILL");
    await once(left.process, "exit");
    const after = [world.startIssue(), world.startIssue()];
    await ended(after);

    // One delivery that was sent to both doors is stored once.
    const again = await startReceiver(world, "door-1");
    const twice = delivery();
    const answers = await Promise.all(
      [again, right].map(async (door) => (await fetch(door.url, twice)).text()),
    );
    expect(
      answers.map((text) => (JSON.parse(text) as { status: string }).status).toSorted(),
    ).toEqual(["accepted", "duplicate"]);

    await until(async () => (await service.parts.store.stats()).undecided === 0, "the decisions");
    expect(world.prompts()).toHaveLength(before.length + after.length);
    for (const number of [...before, ...after])
      expect(
        (await service.parts.store.items.load(world.ref(number))).workItem?.control.instance,
      ).toBe("work-1");
    // Every delivery that the host sent was taken, and each is stored once.
    expect(
      world.host
        .deliveries()
        .every(({ attempts }) => attempts.some(({ status }) => status === 202)),
    ).toBe(true);
    const stored = (await service.parts.store.log.list({ limit: 10_000 })).map(({ id }) => id);
    expect(new Set(stored).size).toBe(stored.length);
    for (const { id } of world.host.deliveries()) expect(stored).toContain(id);
  },
);

function delivery(): RequestInit {
  const body = JSON.stringify({ action: "opened", once: randomUUID() });
  const signature = `sha256=${createHmac("sha256", "practice-secret").update(body).digest("hex")}`;
  return {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "x-host-event": "issues",
      "x-host-delivery": randomUUID(),
      "x-host-signature-256": signature,
    },
  };
}
