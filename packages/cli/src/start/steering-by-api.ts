import { LoopError } from "@loopwork/core/ports";
import type { Steering } from "./control-plane-ports.ts";
import { closeSession } from "../steer/close-session.ts";
import { knownRef, numberIn } from "../steer/known-ref.ts";
import { linkPullRequest } from "../steer/link-pull-request.ts";
import { outcomeOf } from "../steer/outcome.ts";
import { isSessionId, registerSession } from "../steer/register-session.ts";
import { resolveTurn } from "../steer/resolve-turn.ts";
import { sendControl } from "../steer/send-control.ts";
import type { SteeringPorts } from "../steer/steering-ports.ts";

/** Steering as the control plane asks for it: what the commands do, from within the service. */
export function steeringBy(ports: SteeringPorts): Steering {
  return {
    ref: (text) => knownRef(text, ports),
    pullRequest: async (text, workItem) => numberIn(text, workItem) ?? knownRef(text, ports),
    async control(target, request) {
      const sent = await sendControl(target, request, ports);
      return {
        workItem: sent.workItem,
        delivery: sent.delivery,
        dispatching: sent.dispatching,
        ...outcomeOf(sent, await ports.policy()),
      };
    },
    async register(session) {
      if (!isSessionId(session.harness, session.harnessSessionId))
        throw new LoopError(
          "LOOP_E_USAGE",
          "The conversation's ID is invalid",
          "For Claude Code it is a UUID. Inside the conversation, `loop sessions register` finds it.",
        );
      return registerSession(session, ports);
    },
    linkPullRequest: (workItem, pullRequest) => linkPullRequest(workItem, pullRequest, ports),
    closeSession: (endpoint) => closeSession(endpoint, ports),
    resolveTurn: (id, how) => resolveTurn(id, how, ports),
  };
}
