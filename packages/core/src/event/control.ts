import { isJsonObject, type JsonObject } from "./parse-payload.ts";
import type { Delivery } from "./delivery.ts";
import { parseRef } from "../ref/ref.ts";
import type { ControlRequest, ControlVerb, GraphRequest, Normalised } from "./event.ts";
import { text } from "./fields.ts";
import { readIssue } from "./read-item.ts";

/** Body of a control delivery: what the command line and the API append. */
export type ControlPayload = {
  readonly target: string;
  readonly request: ControlRequest;
  readonly actor: string;
  /** Name of the only instance that acts on it. */
  readonly addressee?: string;
  /**
   * The target and its repository in the words of the host's own payloads, where it was asked for
   * them: no event has shown them.
   */
  readonly issue?: JsonObject;
  readonly repository?: JsonObject;
};

/** The seven keywords (docs/specification.md#keywords-and-addresses). */
export const controlVerbs: readonly ControlVerb[] = [
  "start",
  "stop",
  "pause",
  "resume",
  "cleanup",
  "add-collaborator",
  "remove-collaborator",
];

/** Longest text that `say` takes, in UTF-16 units; a comment on the host is at most as long. */
export const longestSay = 65_536;

/**
 * Reads a control delivery. The repository is the target's; every request counts, so the key is the
 * delivery's own.
 */
export function normaliseControl(
  {
    id,
    source,
    receivedAt,
  }: Pick<Delivery, "id" | "source"> & Partial<Pick<Delivery, "receivedAt">>,
  payload: JsonObject,
  defaultHost: string,
): Normalised {
  const target = payload["target"];
  const actor = payload["actor"];
  const request = readRequest(payload["request"]);
  if (typeof target !== "string" || request === null) return { ok: false, why: "shape" };
  if (typeof actor !== "string" || actor.length === 0 || actor.length > 100)
    return { ok: false, why: "shape" };
  const ref = parseRef(target, defaultHost);
  if (ref === null) return { ok: false, why: "bad-name" };
  const addressee = optional(payload["addressee"]);
  if (addressee === undefined) return { ok: false, why: "shape" };
  const issue = readIssue(payload["issue"]);
  const repository = isJsonObject(payload["repository"]) ? payload["repository"] : {};
  return {
    ok: true,
    event: {
      kind: "control",
      deliveryId: id,
      source,
      event: "control",
      action: request.verb,
      repository: {
        host: ref.host,
        owner: ref.owner,
        name: ref.repo,
        id: null,
        defaultBranch: text(repository["default_branch"]),
        cloneUrl: text(repository["clone_url"]),
      },
      // The service looks where the work stands by itself, and that is no word of a person.
      actor: {
        login: actor,
        id: null,
        bot: request.verb === "graph" && request.step === "advance",
      },
      at: null,
      key: `control:${id}`,
      ...(receivedAt === undefined ? {} : { receivedAt }),
      target,
      request,
      ...(addressee === null ? {} : { addressee }),
      ...(issue !== null && issue.number === ref.number ? { shown: issue } : {}),
    },
  };
}

function readRequest(value: unknown): ControlRequest | null {
  if (!isJsonObject(value)) return null;
  if (value["verb"] === "say") {
    const text = value["text"];
    return typeof text === "string" && text.length > 0 && text.length <= longestSay
      ? { verb: "say", text }
      : null;
  }
  if (value["verb"] === "graph") return readGraphRequest(value);
  const verb = controlVerbs.find((known) => known === value["verb"]);
  const login = optional(value["login"]);
  const instance = optional(value["instance"]);
  return verb === undefined || login === undefined || instance === undefined
    ? null
    : { verb, login, instance };
}

const graphSteps: readonly GraphRequest["step"][] = ["advance", "complete", "skip"];

function readGraphRequest(value: JsonObject): GraphRequest | null {
  const step = graphSteps.find((known) => known === value["step"]);
  const node = optional(value["node"]);
  return step === undefined || node === undefined ? null : { verb: "graph", step, node };
}

/** Absent and null are the same; undefined says that there is something else than a short text. */
function optional(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  return typeof value === "string" && value.length <= 100 ? value : undefined;
}
