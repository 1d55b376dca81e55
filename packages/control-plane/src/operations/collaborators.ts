import { isLogin, LoopError } from "@loopwork/core/ports";
import { z } from "zod";
import { sent } from "../shapes/sent.ts";
import { refInput } from "../shapes/words.ts";
import { defineOperation, type Operation } from "./operation.ts";

const input = z.strictObject({
  ref: refInput,
  login: z.string().min(1).max(101).meta({ description: "exactly one login, with or without @" }),
});

export const addCollaborator: Operation = grant(
  "add-collaborator",
  "put",
  "let one login speak to an item's session, until the item closes",
);
export const removeCollaborator: Operation = grant(
  "remove-collaborator",
  "delete",
  "take that back",
);

function grant(
  verb: "add-collaborator" | "remove-collaborator",
  method: "put" | "delete",
  summary: string,
): Operation {
  return defineOperation({
    name: verb,
    summary,
    kind: "write",
    idempotent: true,
    route: { method, path: "/work-items/{ref}/collaborators/{login}" },
    tool: false,
    input,
    output: sent,
    run: async ({ ref, login }, { steering }) =>
      steering.control(await steering.ref(ref), { verb, login: plain(login), instance: null }),
  });
}

/** Teams and bots cannot be logins by their grammar. */
function plain(written: string): string {
  const login = written.startsWith("@") ? written.slice(1) : written;
  if (!isLogin(login))
    throw new LoopError(
      "LOOP_E_LOGIN",
      `Invalid login ${JSON.stringify(written)}`,
      "Give one login of a person: teams and bots can't be collaborators",
    );
  return login;
}
