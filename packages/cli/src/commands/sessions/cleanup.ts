import { SessionsSteerCommand } from "./steer-command.ts";

/** `loop sessions cleanup`. */
export default class SessionsCleanupCommand extends SessionsSteerCommand {
  protected override readonly verb = "cleanup";
}
