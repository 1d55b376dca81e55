import { SessionsSteerCommand } from "./steer-command.ts";

/** `loop sessions pause`. */
export default class SessionsPauseCommand extends SessionsSteerCommand {
  protected override readonly verb = "pause";
}
