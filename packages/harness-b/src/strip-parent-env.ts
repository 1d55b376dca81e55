import { allowedEnvironment, type Variables } from "@loopwork/core/ports";

/** Variables with which a surrounding harness tells its children about itself. */
const runtimeNames: ReadonlySet<string> = new Set([
  ...[
    "CURSOR_AGENT",
    "CURSOR_CONVERSATION_ID",
    "CURSOR_TRANSCRIPT_PATH",
    "CURSOR_PROJECT_DIR",
    "CURSOR_VERSION",
    "CURSOR_USER_EMAIL",
    "CURSOR_PLUGIN_ROOT",
  ],
  ...[
    "CLAUDECODE",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_PLUGIN_ROOT",
    "CLAUDE_PID",
    "AI_AGENT",
  ],
]);

/**
 * The environment without them; logins and configuration folders stay, and `passEnv` keeps names
 * regardless.
 */
export function withoutParentHarness(
  env: Readonly<Record<string, string>>,
  passEnv: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => passEnv.includes(name) || !runtimeNames.has(name)),
  );
}

/**
 * The environment for what is no turn: of the operator's variables only what any program needs, and
 * the harness's own settings and login.
 */
export function reducedEnvironment(
  env: Variables,
  passEnv: readonly string[],
): Record<string, string> {
  return withoutParentHarness(
    allowedEnvironment(env, (name) => passEnv.includes(name) || name.startsWith("CURSOR_")),
    passEnv,
  );
}
