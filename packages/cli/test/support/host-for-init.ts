import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { createScene, type Scene } from "./scene.ts";

export type Asked = { readonly method: string; readonly path: string; readonly body: unknown };

/** A code host that knows whose token it is, and makes labels and webhooks unless it refuses. */
export async function hostThat(
  refuses: (path: string) => boolean = () => false,
): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const path = request.url ?? "";
    asked.push({ method: request.method ?? "", path, body: text === "" ? null : JSON.parse(text) });
    const [status, body] =
      request.method === "POST" && refuses(path)
        ? [403, { message: "no" }]
        : path === "/user"
          ? [200, { login: "ada", id: 7, type: "User" }]
          : path.startsWith("/users/")
            ? accountAt(path.slice("/users/".length))
            : path.includes("/labels/")
              ? [404, {}]
              : request.method === "GET"
                ? [200, []]
                : [201, {}];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void answer(request, response)).listen(
    0,
    "127.0.0.1",
  );
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    asked,
  };
}

/** Every login but `typo` has an account; its id follows from the login's length. */
function accountAt(login: string): [number, unknown] {
  return login === "typo"
    ? [404, { message: "Not Found" }]
    : [200, { login, id: 4 + login.length, type: "User" }];
}

/** A working tree of `ada/garden`, a token in the environment, and the host in the configuration. */
export function sceneAt(host: { readonly url: string }): Scene {
  const scene = createScene(
    `integrations: { codeHost: { apiBaseUrl: ${JSON.stringify(host.url)} } }\n`,
  );
  scene.env["LOOP_HOST_TOKEN"] = "tok";
  execFileSync("git", ["init", "-q", scene.cwd]);
  execFileSync("git", [
    "-C",
    scene.cwd,
    "remote",
    "add",
    "origin",
    "git@github.com:ada/garden.git",
  ]);
  return scene;
}
