import type { ItemState, Session } from "@loopwork/core";
import type { Ports } from "../start/ports.ts";
import { ago } from "../output/time.ts";
import { type Call, Command, flag, register, type Result } from "./command.ts";
import type { Command as Commander } from "commander";

/** `loop sessions list`: the conversations of this machine. */
class SessionsListCommand extends Command {
  override describe(command: Commander): void {
    command.option("--all", "Include closed sessions");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const items = await (await ports.store()).items.list();
    const sessions = items
      .flatMap((item) => item.sessions.map((session) => ({ item, session })))
      .filter(({ session }) => flag(call, "all") || session.status !== "closed");
    const rows = sessions.map(({ item, session }) => [
      session.endpoint,
      session.status,
      holdText(item, session),
      session.harness,
      session.harnessSessionId,
      ago(session.createdAt, ports.clock.now()),
      session.workdir ?? "-",
    ]);
    return {
      exit: 0,
      data: sessions.map(({ session }) => session),
      view: [
        {
          kind: "table",
          columns: ["endpoint", "status", "lane", "harness", "session", "opened", "checkout"],
          rows,
          empty: "no sessions; a `loop start` comment on an armed work item opens one",
        },
      ],
    };
  }
}

register("sessions list", SessionsListCommand);

function holdText(item: ItemState, session: Session): string {
  return item.lanes.find(({ endpoint }) => endpoint === session.endpoint)?.hold?.reason ?? "open";
}
