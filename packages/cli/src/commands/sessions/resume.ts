import { SessionsSteerCommand } from "./steer-command.ts";

/** `loop sessions resume`. */
export default class SessionsResumeCommand extends SessionsSteerCommand {
  protected override readonly verb = "resume";
}
