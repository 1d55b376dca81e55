import { SessionsSteerCommand } from "./steer-command.ts";

/** `loop sessions start`. */
export default class SessionsStartCommand extends SessionsSteerCommand {
  protected override readonly verb = "start";
}
