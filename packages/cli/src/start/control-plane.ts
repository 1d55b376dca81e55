import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname } from "node:path";
import express from "express";
import { LoopError } from "@loopwork/core/errors";
import { createHealthRouter, type Health } from "@loopwork/control-plane";
import type { LoadedConfig } from "./load-config.ts";
import type { Unwind } from "./unwind.ts";

/** Serves the control plane at `service.host` and `service.port`. Resolves to the address that answers `/health`. */
export async function startControlPlane(loaded: LoadedConfig, health: () => Promise<Health>, unwind: Unwind): Promise<string> {
  const { host, port, allowedHosts, exposed } = loaded.config.service;
  const token = readOrMakeToken(loaded.paths.tokenFile);
  const application = express().disable("x-powered-by").use(createHealthRouter({ token, allowedHosts: exposed ? allowedHosts : [], health }));
  const server = createServer(application);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new LoopError("LOOP_E_LISTEN", `the control plane cannot listen on ${host}:${port}: ${error.message}`, "set service.port to a free port, or service.enabled to false")));
    server.listen(port, host, resolve);
  });
  unwind.defer("control plane", () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}/health`;
}

/** The bearer token, made on first use for its owner alone; a file that others can read is no secret and is refused (A03). */
export function readOrMakeToken(file: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  if ((statSync(file).mode & 0o077) !== 0) throw new LoopError("LOOP_E_TOKEN_FILE", `others can read the token in ${file}`, `run: chmod 600 ${file}`);
  return readFileSync(file, "utf8").trim();
}
