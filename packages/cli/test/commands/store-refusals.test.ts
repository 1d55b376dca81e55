import { connect, createServer, type Server, type Socket } from "node:net";
import { type PostgresServer, startPostgres } from "@loopwork-tooling/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createScene } from "../support/scene.ts";

let [server, standby]: PostgresServer[] = [];
let old: Server;
let oldPort = 0;
beforeAll(async () => {
  [server, standby] = await Promise.all([startPostgres(), startPostgres({ standby: true })]);
  old = createServer((client) => asOlder(client, server?.port ?? 0));
  oldPort = await new Promise((resolve) => old.listen(0, "127.0.0.1", () => resolve(portOf(old))));
}, 300_000);
afterAll(async () => {
  old.close();
  await Promise.all([server?.stop(), standby?.stop()]);
}, 60_000);

/** Stands between a client and the server, and lets that one say that it is version 13. */
function asOlder(client: Socket, port: number): void {
  const upstream = connect(port, "127.0.0.1");
  client.pipe(upstream);
  upstream.on("data", (data) =>
    client.write(
      Buffer.from(data.toString("latin1").replaceAll(/1[4-9]00\d\d/g, "130022"), "latin1"),
    ),
  );
  for (const [end, other] of [
    [client, upstream],
    [upstream, client],
  ] as const)
    end.on("error", () => {}).on("close", () => other.destroy());
}

function portOf(listening: Server): number {
  const address = listening.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

const changed = (url: string, change: (url: URL) => void): string => {
  const parsed = new URL(url);
  change(parsed);
  return parsed.href;
};

test.each([
  ["LOOP_E_STORE_URL", "a URL without a database", () => "postgres://loop:s3cret@db.example/"],
  [
    "LOOP_E_STORE_AWAY",
    "a server that is not there",
    () => changed(server?.url() ?? "", (url) => (url.port = "1")),
  ],
  [
    "LOOP_E_STORE_LOGIN",
    "a wrong password",
    () => changed(server?.url() ?? "", (url) => (url.password = "s3cret")),
  ],
  [
    "LOOP_E_STORE_LOGIN",
    "no password",
    () => changed(server?.url() ?? "", (url) => (url.password = "")),
  ],
  ["LOOP_E_STORE_TLS", "a server without TLS", () => `${server?.url()}?sslmode=require`],
  [
    "LOOP_E_STORE_TOO_OLD",
    "too old a server",
    () => changed(server?.url() ?? "", (url) => (url.port = String(oldPort))),
  ],
  ["LOOP_E_STORE_STANDBY", "a replica", () => standby?.url() ?? ""],
])(
  "%s: %s is told in one sentence with what to do, by each command that opens the store, and no password is shown",
  async (code, _what, urlOf) => {
    const scene = createScene(
      "state: { root: state }\nstore: { urlEnv: STORE_URL }\ninstance: { name: north }\n",
    );
    scene.env["STORE_URL"] = urlOf();
    for (const words of [["status"], ["instances", "list"], ["doctor"], ["store", "check"]]) {
      const { out, err } = await scene.loop(...words);
      const said = `${out}${err}`;
      for (const secret of ["s3cret", server?.password ?? "", standby?.password ?? ""])
        expect(said).not.toContain(secret);
      expect(said).not.toMatch(/\n +at |LOOP_E_BUG|node_modules/);
      if (words[0] === "doctor") expect(said).toMatch(/✗ Store +[A-Z].*\n +→ [A-Z]/);
      else if (code === "LOOP_E_STORE_STANDBY") expect(said).toContain("LOOP_E_STORE_");
      else expect(err.match(/LOOP_E_\w+/g)).toEqual([code]);
    }
  },
);
