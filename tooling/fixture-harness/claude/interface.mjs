import { connect } from "node:net";

/** Any login will do; a test that is about logins sets FIXTURE_REQUIRE_LOGIN, all others need none. */
export function loggedIn(env) {
  return !env.FIXTURE_REQUIRE_LOGIN || Boolean(env.ANTHROPIC_API_KEY || env.ANTHROPIC_AUTH_TOKEN || env.CLAUDE_CODE_OAUTH_TOKEN);
}

/** What stands between this process and the model, as an error; null when nothing does. */
export async function obstacle(env) {
  if (!loggedIn(env)) return { status: null, text: "Not logged in · Please run /login", kind: "authentication_failed" };
  if (env.ANTHROPIC_BASE_URL && !(await answers(env.ANTHROPIC_BASE_URL))) return { status: null, text: "API Error: Connection refused", kind: "unknown" };
  return null;
}

function answers(url) {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once("connect", () => socket.end(() => resolve(true))).once("error", () => resolve(false));
  });
}
