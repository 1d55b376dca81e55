import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { stringify } from "yaml";
import type { Config } from "@loopwork/core/config";
import { LoopError } from "@loopwork/core/ports";
import type { Io } from "../io/io.ts";
import { whyUnsafeToMake } from "../file-ownership/safe-file.ts";
import { keepTrust } from "../configuration/trust-config.ts";
import { isThereToReplace } from "./dangling-link.ts";
import type { InitAnswers } from "./questions.ts";
import { replaceConfig } from "./replace-config.ts";
import { type EnvFileChange, planEnvFile } from "./write-env-file.ts";

/** `copy`: where a configuration lies now that stood there before. */
export type WrittenSetup =
  | {
      readonly ok: true;
      readonly file: string;
      readonly copy: string | null;
      readonly envFile: string;
      readonly envFileChange: EnvFileChange;
    }
  | { readonly ok: false; readonly file: string };

/** How the code host was reached before; kept when a configuration is replaced. */
export type KnownHost = Partial<Config["integrations"]["codeHost"]>;

/**
 * Writes the configuration and, only for its owner to read, the file with the secret. A
 * configuration that is replaced is kept beside it; an env file that is there gets a secret where
 * it has none.
 */
export function writeSetup(
  answers: InitAnswers,
  known: KnownHost,
  asked: string | null,
  force: boolean,
  io: Pick<Io, "cwd" | "home" | "env">,
  now: number,
): WrittenSetup {
  const file = asked === null ? join(io.home, ".loop", "cli-config.yaml") : resolve(io.cwd, asked);
  const isThere = isThereToReplace(file, "LOOP_E_CONFIG_UNWRITABLE");
  if (isThere && !force) return { ok: false, file };
  const envFile = join(dirname(file), "loop.env");
  const writeEnvFile = planEnvFile(
    envFile,
    known.tokenEnv ?? "LOOP_HOST_TOKEN",
    io.env["LOOP_HOST_WEBHOOK_SECRET"],
  );
  makeFolder(dirname(file));
  const text = configText(answers, known, envFile);
  const copy = isThere ? replaceConfig(file, readFileSync(file, "utf8"), text, now) : null;
  if (copy === null) writeFileSync(file, text, { mode: 0o600 });
  const envFileChange = writeEnvFile();
  keepTrust(file, text, io.home);
  return { ok: true, file, copy, envFile, envFileChange };
}

function makeFolder(folder: string): void {
  try {
    // Made in somebody else's home it would stay there, and belong to this user.
    const unsafe = existsSync(folder) ? null : whyUnsafeToMake(folder);
    if (unsafe !== null) throw new Error(unsafe.why);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new LoopError(
      "LOOP_E_CONFIG_UNWRITABLE",
      `Can't create ${folder}: ${error instanceof Error ? error.message : String(error)}`,
      "Use --config with a file in a directory you can write to",
    );
  }
}

/** How another host is reached says nothing about this one. */
function tokenAlone({ tokenEnv }: KnownHost): KnownHost {
  return tokenEnv === undefined ? {} : { tokenEnv };
}

function configText(
  { repository, host, user, ingress, publicUrl, workspace }: InitAnswers,
  known: KnownHost,
  envFile: string,
): string {
  const taken = host ?? known.host ?? null;
  const codeHost = {
    ...(taken === (known.host ?? taken) ? known : tokenAlone(known)),
    ...(taken === null || (taken === "github.com" && known.host === undefined)
      ? {}
      : { host: taken }),
  };
  const settings = {
    env: { file: envFile },
    ...(ingress === "webhook"
      ? {
          webhooks: {
            hostWebhook: { enabled: true, ...(publicUrl === null ? {} : { publicUrl }) },
          },
        }
      : { polling: { enabled: true } }),
    routing: {
      repositories: [repository],
      authorizedUsers: [user],
      workspace: { root: workspace, strategy: "clone" },
    },
    ...(Object.keys(codeHost).length === 0 ? {} : { integrations: { codeHost } }),
  };
  return `# Configuration of loop. \`loop config schema\` prints every key, \`loop config validate\` checks this file.\n${stringify(settings)}`;
}
