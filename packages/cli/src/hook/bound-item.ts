import { type HookCall, parseRef, type Ref } from "@loopwork/core/ports";
import type { Ports } from "../ports/command-ports.ts";

export type BindingPorts = Pick<Ports, "io" | "turn" | "looking" | "recordStore">;

/**
 * The work item that a conversation works on: that of its turn or of `LOOP_WORK_ITEM`, else the one
 * that it is registered for; null where it is bound to none.
 */
export async function boundItem(
  { sessionId }: Pick<HookCall, "sessionId">,
  ports: BindingPorts,
): Promise<Ref | null> {
  const turn = ports.turn();
  // A turn's is written as the service writes refs, and needs no configuration to be read, which
  // takes time.
  if (turn?.workItem != null) return parseRef(turn.workItem);
  const named = ports.io.env["LOOP_WORK_ITEM"];
  if (named !== undefined && named !== "")
    return parseRef(named, (await ports.looking()).config.integrations.codeHost.host.toLowerCase());
  return sessionId === null ? null : registeredItem(sessionId, ports);
}

/**
 * Most conversations with the plugin have nothing to do with loop, and where nothing is on record
 * there is nothing to read.
 */
async function registeredItem(sessionId: string, ports: BindingPorts): Promise<Ref | null> {
  const store = await ports.recordStore().catch(() => null);
  const items = (await store?.items.list()) ?? [];
  const session = items
    .flatMap(({ sessions }) => sessions)
    .find(
      ({ harnessSessionId, status }) =>
        status !== "closed" && harnessSessionId.toLowerCase() === sessionId.toLowerCase(),
    );
  return session === undefined ? null : parseRef(session.workItem);
}
