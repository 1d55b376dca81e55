import { randomBytes } from "node:crypto";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { LoopError, readSecret, secretFault } from "@loopwork/core/ports";
import { type EnvFile, readEnvFile } from "../configuration/env-file.ts";
import { isThereToReplace } from "./dangling-link.ts";
import { tokenRights } from "./token-rights.ts";

/**
 * `written`: a new file with a secret; `added`: a secret in a file that had none; `kept`: as it
 * was.
 */
export type EnvFileChange = "written" | "added" | "kept";

const secretEnv = "LOOP_HOST_WEBHOOK_SECRET";

/**
 * Plans what makes the env file hold a usable webhook secret; nothing is written before the
 * returned function is called. A secret that this shell exports is the one that is written, since
 * it is the one that a webhook would be created with.
 * @throws {LoopError} `LOOP_E_ENV_FILE`, `LOOP_E_ENV_FILE_SHARED`, `LOOP_E_INIT_SECRET`
 */
export function planEnvFile(
  file: string,
  tokenEnv: string,
  exported: string | undefined,
): () => EnvFileChange {
  const fromShell = usable(
    exported,
    "in this shell",
    `Unset ${secretEnv}, or export the whole secret`,
  );
  if (!isThereToReplace(file, "LOOP_E_ENV_FILE")) {
    const text = envText(fromShell ?? freshSecret(), tokenEnv);
    return () => {
      writeFileSync(file, text, { mode: 0o600, flag: "wx" });
      return "written";
    };
  }
  const before = readEnvFile(file);
  refuseShared(file, before);
  const inFile = usable(
    before.values.get(secretEnv),
    `in ${file}`,
    `Remove the line ${secretEnv}= there, or set it to the whole secret`,
  );
  if (inFile !== null && fromShell !== null && inFile !== fromShell) {
    throw new LoopError(
      "LOOP_E_INIT_SECRET",
      `${secretEnv} in this shell differs from the one in ${file}`,
      `Run \`unset ${secretEnv}\` to use the one in the file, or remove the line there`,
    );
  }
  if (inFile !== null) return () => "kept";
  return () => {
    const isEnded = /(^|\n)$/.test(readFileSync(file, "utf8"));
    appendFileSync(file, `${isEnded ? "" : "\n"}${secretLine(fromShell ?? freshSecret())}`);
    return "added";
  };
}

function usable(text: string | undefined, where: string, hint: string): string | null {
  const reading = readSecret(text);
  if (reading.kind === "refused")
    throw new LoopError(
      "LOOP_E_INIT_SECRET",
      `${secretEnv} ${where} ${secretFault(reading.why)}`,
      hint,
    );
  return reading.kind === "set" ? reading.value : null;
}

function refuseShared(file: string, { shared }: EnvFile): void {
  if (shared)
    throw new LoopError(
      "LOOP_E_ENV_FILE_SHARED",
      `Other users can read the secrets in ${file}`,
      `Run: chmod 600 ${file}`,
    );
}

function freshSecret(): string {
  return randomBytes(32).toString("hex");
}

/** Quoted unless it is plain, as the file is read strictly. */
function secretLine(secret: string): string {
  const plain = /^[A-Za-z0-9_./+=-]+$/.test(secret);
  if (!plain && secret.includes("'"))
    throw new LoopError(
      "LOOP_E_INIT_SECRET",
      `${secretEnv} in this shell contains a single quote`,
      `Run \`unset ${secretEnv}\` to get a new secret`,
    );
  return `${secretEnv}=${plain ? secret : `'${secret}'`}\n`;
}

/**
 * The token's line is a comment until somebody fills it in, because a variable that is set to
 * nothing is refused.
 */
function envText(secret: string, tokenEnv: string): string {
  return `# Secrets of loop (see env.file). Don't commit this file.\n${secretLine(secret)}# Token of your code host, with these permissions: ${tokenRights}. Remove the # and add the token.\n# ${tokenEnv}=\n`;
}
