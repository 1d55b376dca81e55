import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { announce, readSettings } from "./contender.ts";

// The least that a receiver can do: node:http, one HMAC, an answer. It stores nothing.
const key = createSecretKey(readSettings().secret, "utf8");

const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    const given = Buffer.from(String(request.headers["x-hub-signature-256"] ?? "").slice(7), "hex");
    const good =
      given.length === 32 &&
      timingSafeEqual(createHmac("sha256", key).update(body).digest(), given);
    response.writeHead(good ? 202 : 401, { "content-length": "0" }).end();
  });
});

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) announce(address.port);
});
