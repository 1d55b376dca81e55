// Probot as its documentation starts it, quiet, with one handler that does nothing.
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:net";
import { run } from "probot";

const { secret } = JSON.parse(process.argv[2]);
const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const port = await freePort();
const env = {
  APP_ID: "1",
  PRIVATE_KEY: privateKey,
  WEBHOOK_SECRET: secret,
  WEBHOOK_PATH: "/host-webhook",
  LOG_LEVEL: "fatal",
  HOST: "127.0.0.1",
  PORT: String(port),
  NODE_ENV: "production",
};
const application = (app) => {
  app.on("issue_comment", async () => {});
};
await run(application, { env });
process.stdout.write(`ready ${port}\n`);

/** Port 0 would mean its default port to this server. */
function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
}
