import { type Operation, type OperationInput, requestOf } from "@loopwork/control-plane/operations";
import { LoopError } from "@loopwork/core/ports";
import type { Io } from "../io/io.ts";
import { readToken } from "./token-file.ts";

export {
  type JsonSchema,
  type Operation,
  type OperationInput,
  operations,
  pathFields,
} from "@loopwork/control-plane/operations";

/** A service on this machine or another one, asked by REST. */
export type Remote = { ask(operation: Operation, input: OperationInput): Promise<unknown> };

/**
 * What the service refused, in its own words; `details` are the parts of an input that do not fit.
 */
export class RemoteRefusal extends LoopError {
  readonly details: readonly string[];

  constructor(code: LoopError["code"], sentence: string, hint: string, details: readonly string[]) {
    super(code, sentence, hint);
    this.details = details;
  }
}

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The service at `address`. Its token comes from `LOOP_REMOTE_TOKEN`, or from the file that
 * `LOOP_REMOTE_TOKEN_FILE` names, which must be its owner's alone; never from the command line,
 * which others can read. Throws `LOOP_E_REMOTE_ADDRESS` for what is no address, or one over which
 * the token would travel readable, and `LOOP_E_REMOTE_TOKEN` without a token.
 */
export function connectRemote(address: string, env: Io["env"]): Remote {
  const base = parseAddress(address);
  const authorization = `Bearer ${tokenOf(env)}`;
  return {
    async ask(operation, input) {
      const { method, path, body } = requestOf(operation, input);
      const typed = body === null ? {} : { "content-type": "application/json" };
      const written = body === null ? {} : { body: JSON.stringify(body) };
      const init = { method, headers: { authorization, ...typed }, ...written };
      const answered = fetch(`${base}${path}`, { ...init, redirect: "error" });
      const response = await answered.catch((error: unknown) => {
        throw new LoopError(
          "LOOP_E_REMOTE",
          `nothing answers at ${base}: ${causeOf(error)}`,
          "check that the service runs there, and the tunnel that leads to it",
        );
      });
      const answer: unknown = await response.json().catch(() => null);
      if (response.ok && answer !== null) return answer;
      throw refusalOf(response.status, answer, base);
    },
  };
}

/** Origin and prefix without a slash at the end. */
function parseAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    (url.protocol !== "http:" && url.protocol !== "https:") ||
    url.username !== "" ||
    url.search !== "" ||
    url.hash !== ""
  )
    throw new LoopError(
      "LOOP_E_REMOTE_ADDRESS",
      `${JSON.stringify(text.slice(0, 100))} is no address of a service`,
      "give one such as http://127.0.0.1:4114, without token, query or fragment",
    );
  if (url.protocol === "http:" && !loopback.has(url.hostname))
    throw new LoopError(
      "LOOP_E_REMOTE_ADDRESS",
      `over plain HTTP to ${url.hostname} everybody on the way could read the token`,
      "use https, or a tunnel: ssh -L 4114:127.0.0.1:4114 HOST, then --remote http://127.0.0.1:4114",
    );
  return `${url.origin}${url.pathname.replace(/\/$/, "")}`;
}

function tokenOf(env: Io["env"]): string {
  const file = env["LOOP_REMOTE_TOKEN_FILE"];
  const token =
    env["LOOP_REMOTE_TOKEN"]?.trim() ||
    (file === undefined || file === "" ? null : readToken(file));
  if (token === null || /[^\x21-\x7e]/.test(token))
    throw new LoopError(
      "LOOP_E_REMOTE_TOKEN",
      "there is no token for the remote service",
      "put it into LOOP_REMOTE_TOKEN, or name a file of yours in LOOP_REMOTE_TOKEN_FILE; the service has it in `<state.root>/control-plane.token`",
    );
  return token;
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

function refusalOf(status: number, answer: unknown, base: string): LoopError {
  const problem = new Map<string, unknown>(
    typeof answer === "object" && answer !== null ? Object.entries(answer) : [],
  );
  const word = (name: string): string => wordIn(problem, name);
  const code = /^LOOP_E_([A-Z_]+)$/.exec(word("code"))?.[1];
  if (code === undefined)
    return new LoopError(
      "LOOP_E_REMOTE",
      `what answers at ${base} with ${status} is no loop service`,
      "give the address under which its control plane is served",
    );
  const errors = problem.get("errors");
  const details = Array.isArray(errors) ? errors.map((each: unknown) => partOf(each)) : [];
  return new RemoteRefusal(`LOOP_E_${code}`, word("detail"), word("hint"), details);
}

function partOf(error: unknown): string {
  const part = new Map<string, unknown>(
    typeof error === "object" && error !== null ? Object.entries(error) : [],
  );
  return `${wordIn(part, "path") || "input"}: ${wordIn(part, "message")}`;
}

function wordIn(fields: ReadonlyMap<string, unknown>, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value : "";
}
