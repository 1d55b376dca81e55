import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gitEnvironment } from "../git/bare.ts";

/** What a git client asks for: a bare repository and an address below it. */
export type GitCall = {
  readonly directory: string;
  readonly below: string;
  readonly query: string;
  readonly login: string;
};

/**
 * Serves one request of a git client with git's own server program, as a web server would. Resolves
 * when it is answered.
 */
export function serveGit(
  request: IncomingMessage,
  response: ServerResponse,
  call: GitCall,
): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn("git", ["http-backend"], {
      env: cgiEnvironment(request, call),
      stdio: ["pipe", "pipe", "ignore"],
    });
    let head = Buffer.alloc(0);
    let open = false;
    child.stdout.on("data", (part: Buffer) => {
      if (open) return void response.write(part);
      head = Buffer.concat([head, part]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      open = true;
      const { status, headers } = readCgiHead(head.subarray(0, end).toString("latin1"));
      response.writeHead(status, headers);
      response.write(head.subarray(end + 4));
    });
    child.on("error", () => void response.writeHead(500).end());
    child.on("close", () => {
      if (!open && !response.headersSent) response.writeHead(500);
      response.end(() => resolve());
    });
    child.stdin.on("error", () => undefined);
    response.on("close", () => resolve());
    request.pipe(child.stdin);
  });
}

function cgiEnvironment(request: IncomingMessage, call: GitCall): NodeJS.ProcessEnv {
  const header = (name: string): string => {
    const value = request.headers[name];
    return typeof value === "string" ? value : "";
  };
  return {
    ...gitEnvironment(),
    GIT_PROJECT_ROOT: call.directory,
    GIT_HTTP_EXPORT_ALL: "1",
    PATH_INFO: call.below,
    QUERY_STRING: call.query,
    REQUEST_METHOD: request.method ?? "GET",
    CONTENT_TYPE: header("content-type"),
    HTTP_CONTENT_ENCODING: header("content-encoding"),
    ...(header("content-length") === "" ? {} : { CONTENT_LENGTH: header("content-length") }),
    GIT_PROTOCOL: header("git-protocol"),
    REMOTE_USER: call.login,
    REMOTE_ADDR: "127.0.0.1",
  };
}

function readCgiHead(text: string): {
  readonly status: number;
  readonly headers: Record<string, string>;
} {
  const headers: Record<string, string> = {};
  let status = 200;
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (name === "status") status = Number(value.slice(0, 3));
    else if (colon > 0) headers[name] = value;
  }
  return { status, headers };
}
