import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseConfig, policyOf } from "@loopwork/core/config";
import { openStore } from "@loopwork/store";
import { lookingOnly } from "./looking-only.ts";
import { createPortal } from "./portal.ts";

/** `PORTAL_PASSWORD=… node src/main.ts ~/.loop/loop.db ~/.loop/cli-config.yaml [port]` */
const [database, configFile, port = "8080"] = process.argv.slice(2);
const password = process.env["PORTAL_PASSWORD"] ?? "";
if (database === undefined || configFile === undefined || password.length < 12)
  throw new Error(
    "give the database, the configuration, and a PORTAL_PASSWORD of at least 12 characters",
  );

const parsed = parseConfig(readFileSync(configFile, "utf8"), { file: configFile });
if (!parsed.ok) throw new Error(`${configFile} has errors: \`loop config validate\` lists them`);
const { config } = parsed;
const store = await openStore(`sqlite:${database}`, {
  instance: config.instance.name,
  now: Date.now,
  readonly: true,
});
const { app } = createPortal({
  ports: lookingOnly(store, policyOf(config), { now: Date.now }, dirname(database)),
  password,
  onFault: console.error,
});
app.listen(Number(port), "127.0.0.1", (error) => {
  if (error) throw error;
  console.log(`http://127.0.0.1:${port}/`);
});
