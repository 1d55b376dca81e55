import { randomBytes, timingSafeEqual } from "node:crypto";
import { createControlPlane, type ControlPlanePorts } from "@loopwork/control-plane";
import { createMcpEndpoint } from "@loopwork/control-plane/mcp";
import { LoopError } from "@loopwork/core/ports";
import express, { type Express, type RequestHandler } from "express";

export type PortalOptions = {
  readonly ports: ControlPlanePorts;
  readonly password: string;
  readonly onFault: (error: unknown) => void;
};
export type Portal = { readonly app: Express; close(): Promise<void> };

/**
 * An application with a page, a body parser and a login of its own. loop's control plane is mounted
 * under `/loop`, for whom that login lets through: dashboard, REST, event stream and `/mcp`. Nobody
 * steers from here.
 */
export function createPortal({ ports, password, onFault }: PortalOptions): Portal {
  const sessions = new Set<string>();
  const loop = createControlPlane({
    ports,
    // The login below stands in front of it, so that no token is asked for.
    access: { type: "application" },
    mayWrite: async () => {
      throw new LoopError(
        "LOOP_E_FORBIDDEN",
        "the portal is for looking",
        "steer on the code host, or with `loop` on the service's machine",
      );
    },
    mcp: createMcpEndpoint,
    version: "portal",
    onFault,
  });
  const app = express()
    .disable("x-powered-by")
    .use(express.json(), express.urlencoded({ extended: false }));
  app.get(
    "/",
    (_request, response) =>
      void response.send(
        '<!doctype html><title>Portal</title><form method="post" action="/login"><input name="password" type="password" aria-label="Password"><button>Log in</button></form><a href="/loop/">loop</a>',
      ),
  );
  app.post("/login", (request, response) => {
    if (!sameText(passwordIn(request.body), password))
      return void response.status(401).send("that is not the password");
    const session = randomBytes(32).toString("hex");
    sessions.add(session);
    response
      .cookie("portal", session, { httpOnly: true, sameSite: "strict", path: "/" })
      .redirect(303, "/loop/");
  });
  app.use("/loop", onlyLoggedIn(sessions), loop.router);
  return { app, close: () => loop.close() };
}

/**
 * `sameSite` keeps other pages from sending the cookie; the control plane refuses their requests on
 * top of it.
 */
function onlyLoggedIn(sessions: ReadonlySet<string>): RequestHandler {
  return (request, response, next) => {
    const session = /(?:^|; )portal=([0-9a-f]{64})(?:;|$)/.exec(request.headers.cookie ?? "")?.[1];
    if (session !== undefined && sessions.has(session)) next();
    else response.status(401).send("log in first");
  };
}

function passwordIn(body: unknown): string {
  return typeof body === "object" &&
    body !== null &&
    "password" in body &&
    typeof body.password === "string"
    ? body.password
    : "";
}

function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
