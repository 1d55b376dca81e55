/**
 * Any login will do; a test that is about logins sets FIXTURE_REQUIRE_LOGIN, all others need none.
 */
export function loggedIn(env) {
  return (
    !env.FIXTURE_REQUIRE_LOGIN ||
    Boolean(env.ANTHROPIC_API_KEY || env.ANTHROPIC_AUTH_TOKEN || env.CLAUDE_CODE_OAUTH_TOKEN)
  );
}

/** What stands between this process and the model, as an error; null when nothing does. */
export async function obstacle(env, prompt) {
  if (!loggedIn(env))
    return {
      status: null,
      text: "Not logged in · Please run /login",
      kind: "authentication_failed",
    };
  if (env.ANTHROPIC_BASE_URL && !(await asks(env.ANTHROPIC_BASE_URL, prompt)))
    return { status: null, text: "API Error: Connection refused", kind: "unknown" };
  return null;
}

/**
 * Where a model's interface is set, it is asked as the real program would; what it answers is
 * scripted all the same.
 */
async function asks(url, prompt) {
  try {
    const body = JSON.stringify({
      model: "fixture",
      stream: true,
      tools: [{ name: "Bash" }],
      messages: [{ role: "user", content: prompt }],
    });
    await (
      await fetch(`${url}/v1/messages`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      })
    ).text();
    return true;
  } catch {
    return false;
  }
}
