import { allowedEnvironment, type Variables } from "@loopwork/core/ports";

/**
 * Variables with which a harness tells its own children about itself. A service that was started
 * from inside of an agent's session would hand them on, and the new session would take itself for a
 * part of the old one.
 */
const runtimeNames: ReadonlySet<string> = new Set([
  "CLAUDECODE",
  "AI_AGENT",
  "CURSOR_AGENT",
  "CURSOR_CONVERSATION_ID",
  "CURSOR_TRANSCRIPT_PATH",
  "CURSOR_PROJECT_DIR",
  "CURSOR_VERSION",
]);

/**
 * Of the harness's own variables these are settings and logins of the operator, which must stay.
 */
const operatorNames: ReadonlySet<string> = new Set([
  "CLAUDE_CONFIG_DIR",
  "CLAUDE_CODE_API_KEY_HELPER_TTL_MS",
  "CLAUDE_CODE_SHELL",
  "CLAUDE_CODE_EXTRA_BODY",
  "CLAUDE_CODE_SUBAGENT_MODEL",
  "CLAUDE_CODE_GIT_BASH_PATH",
]);
const operatorPrefixes: readonly string[] = [
  "CLAUDE_CODE_OAUTH_",
  "CLAUDE_CODE_USE_",
  "CLAUDE_CODE_SKIP_",
  "CLAUDE_CODE_CLIENT_",
  "CLAUDE_CODE_DISABLE_",
  "CLAUDE_CODE_ENABLE_",
  "CLAUDE_CODE_MAX_",
  "CLAUDE_CODE_PROXY_",
  "CLAUDE_CODE_CERT_",
];

/**
 * The environment without the run-time variables of a surrounding harness; `passEnv` keeps names
 * regardless.
 */
export function withoutParentHarness(
  env: Readonly<Record<string, string>>,
  passEnv: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => passEnv.includes(name) || !isRuntimeName(name)),
  );
}

/**
 * The environment for what is no turn: a probe, or a question asked by the way. Of the operator's
 * variables only what any program needs, and the harness's own settings and logins; those of a
 * cloud where it reaches its model through that.
 */
export function reducedEnvironment(
  env: Variables,
  passEnv: readonly string[],
): Record<string, string> {
  const prefixes = [
    ...ownPrefixes,
    ...Object.entries(cloudPrefixes).flatMap(([by, theirs]) => (env[by] ? theirs : [])),
  ];
  return withoutParentHarness(
    allowedEnvironment(
      env,
      (name) =>
        passEnv.includes(name) ||
        ownNames.has(name) ||
        prefixes.some((prefix) => name.startsWith(prefix)),
    ),
    passEnv,
  );
}

const ownNames: ReadonlySet<string> = new Set([
  "IS_SANDBOX",
  "API_TIMEOUT_MS",
  "MAX_THINKING_TOKENS",
]);
const ownPrefixes: readonly string[] = ["ANTHROPIC_", "CLAUDE_", "DISABLE_"];
const cloudPrefixes: Readonly<Record<string, readonly string[]>> = {
  CLAUDE_CODE_USE_BEDROCK: ["AWS_"],
  CLAUDE_CODE_USE_VERTEX: ["GOOGLE_", "GCLOUD_", "CLOUD_ML_", "VERTEX_"],
  CLAUDE_CODE_USE_FOUNDRY: ["AZURE_"],
};

function isRuntimeName(name: string): boolean {
  if (runtimeNames.has(name)) return true;
  if (!name.startsWith("CLAUDE_")) return false;
  return !operatorNames.has(name) && !operatorPrefixes.some((prefix) => name.startsWith(prefix));
}
