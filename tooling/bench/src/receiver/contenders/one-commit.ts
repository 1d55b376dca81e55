import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { announce, readSettings } from "./contender.ts";

// What durability costs without any thought: the least receiver, and a commit with the body in its
// row for each delivery.
const { secret, directory, flushDelayUs } = readSettings();
const key = createSecretKey(secret, "utf8");
const database = new DatabaseSync(join(directory, "deliveries.db"));
database.exec(
  "pragma journal_mode = wal; pragma synchronous = full; create table delivery (id text primary key, body blob)",
);
const insert = database.prepare(
  "insert into delivery (id, body) values (?, ?) on conflict do nothing",
);
const never = new Int32Array(new SharedArrayBuffer(4));

/** A commit flushes on the thread that asks for it, and there a slower disk is felt. */
function store(id: string, body: Uint8Array): void {
  insert.run(id, body);
  if (flushDelayUs > 0) Atomics.wait(never, 0, 0, flushDelayUs / 1_000);
}

const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks);
    const given = Buffer.from(String(request.headers["x-hub-signature-256"] ?? "").slice(7), "hex");
    const good =
      given.length === 32 &&
      timingSafeEqual(createHmac("sha256", key).update(body).digest(), given);
    if (good) store(String(request.headers["x-github-delivery"]), body);
    response.writeHead(good ? 202 : 401, { "content-length": "0" }).end();
  });
});

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) announce(address.port);
});
