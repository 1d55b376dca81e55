import type { TurnState } from "@loopwork/core/ports";
import { z } from "zod";
import { turnStates } from "../shapes/turn.ts";
import { defineOperation, type Operation } from "./operation.ts";

type Resolved = { readonly turn: number; readonly state: TurnState; readonly resolved: boolean };

const resolved: z.ZodType<Resolved> = z.object({
  turn: z.number().int(),
  state: z.enum(turnStates).meta({ description: "what it was before" }),
  resolved: z.boolean().meta({ description: "false: in this state there is nothing to decide" }),
});

export const retryTurn: Operation = resolving(
  "retry",
  "let an uncertain or failed turn go on",
  false,
);
export const dropTurn: Operation = resolving(
  "drop",
  "leave a turn; what waits behind it goes on",
  true,
);

function resolving(how: "retry" | "drop", summary: string, destructive: boolean): Operation {
  return defineOperation({
    name: `${how}-turn`,
    summary,
    kind: "write",
    destructive,
    route: { method: "post", path: `/turns/{id}/${how}` },
    tool: false,
    input: z.strictObject({ id: z.number().int().min(1).max(999_999_999_999_999) }),
    output: resolved,
    run: ({ id }, { steering }) => steering.resolveTurn(id, how),
  });
}
