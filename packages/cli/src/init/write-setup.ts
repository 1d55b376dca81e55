import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { stringify } from "yaml";
import type { Io } from "../start/ports.ts";
import type { InitAnswers } from "./questions.ts";

export type WrittenSetup = { readonly ok: true; readonly file: string; readonly envFile: string } | { readonly ok: false; readonly file: string };

/** Writes the configuration and, only for its owner to read, the file with the secret. An env file that is there stays as it is. */
export function writeSetup(answers: InitAnswers, asked: string | null, force: boolean, io: Pick<Io, "cwd" | "home">): WrittenSetup {
  const file = asked === null ? join(io.home, ".loop", "cli-config.yaml") : resolve(io.cwd, asked);
  if (existsSync(file) && !force) return { ok: false, file };
  const envFile = join(dirname(file), "loop.env");
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, configText(answers, envFile), { mode: 0o600 });
  if (!existsSync(envFile)) writeFileSync(envFile, `# Read by loop alone; see env.file. Keep it out of version control.\nLOOP_HOST_WEBHOOK_SECRET=${randomBytes(32).toString("hex")}\n# A token of your code host: issues, pull requests and contents of the repository.\n# LOOP_HOST_TOKEN=\n`, { mode: 0o600 });
  return { ok: true, file, envFile };
}

function configText(answers: InitAnswers, envFile: string): string {
  const settings = {
    env: { file: envFile },
    webhooks: { hostWebhook: { enabled: true } },
    routing: { repositories: [answers.repository], authorizedUsers: [answers.user], workspace: { root: answers.workspace } },
  };
  return `# Configuration of loop. \`loop config schema\` lists every key, \`loop config validate\` checks this file.\n${stringify(settings)}`;
}
