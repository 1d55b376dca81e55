import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { stringify } from "yaml";
import type { Config } from "@loopwork/core/config";
import type { Io } from "../start/ports.ts";
import type { InitAnswers } from "./questions.ts";
import { replaceConfig } from "./replace-config.ts";
import { tokenRights } from "./token-rights.ts";

/** `copy`: where a configuration lies now that stood there before. */
export type WrittenSetup = { readonly ok: true; readonly file: string; readonly copy: string | null; readonly envFile: string; readonly newSecret: boolean } | { readonly ok: false; readonly file: string };

/** How the code host was reached before; kept when a configuration is replaced. */
export type KnownHost = Partial<Config["integrations"]["codeHost"]>;

/** Writes the configuration and, only for its owner to read, the file with the secret. A configuration that is replaced is kept beside it, an env file that is there stays as it is. */
export function writeSetup(answers: InitAnswers, known: KnownHost, asked: string | null, force: boolean, io: Pick<Io, "cwd" | "home">, now: number): WrittenSetup {
  const file = asked === null ? join(io.home, ".loop", "cli-config.yaml") : resolve(io.cwd, asked);
  const isThere = existsSync(file);
  if (isThere && !force) return { ok: false, file };
  const envFile = join(dirname(file), "loop.env");
  const newSecret = !existsSync(envFile);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const text = configText(answers, known, envFile);
  const copy = isThere ? replaceConfig(file, readFileSync(file, "utf8"), text, now) : null;
  if (copy === null) writeFileSync(file, text, { mode: 0o600 });
  if (newSecret) writeFileSync(envFile, envText(), { mode: 0o600 });
  return { ok: true, file, copy, envFile, newSecret };
}

/** The token's line is there to be filled in: an empty variable counts as none. */
function envText(): string {
  return `# Read by loop alone; see env.file. Keep it out of version control.\nLOOP_HOST_WEBHOOK_SECRET=${randomBytes(32).toString("hex")}\n# A token of your code host, with the rights ${tokenRights}.\nLOOP_HOST_TOKEN=\n`;
}

function configText({ repository, host, user, ingress, workspace }: InitAnswers, known: KnownHost, envFile: string): string {
  const codeHost = { ...(host === null ? {} : { host }), ...known };
  const settings = {
    env: { file: envFile },
    ...(ingress === "webhook" ? { webhooks: { hostWebhook: { enabled: true } } } : { polling: { enabled: true } }),
    routing: { repositories: [repository], authorizedUsers: [user], workspace: { root: workspace } },
    ...(Object.keys(codeHost).length === 0 ? {} : { integrations: { codeHost } }),
  };
  return `# Configuration of loop. \`loop config schema\` lists every key, \`loop config validate\` checks this file.\n${stringify(settings)}`;
}
