import { SessionsSteerCommand } from "./steer-command.ts";

/** `loop sessions stop`. */
export default class SessionsStopCommand extends SessionsSteerCommand {
  protected override readonly verb = "stop";
}
