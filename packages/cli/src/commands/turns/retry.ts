import { TurnsResolveCommand } from "./resolve-command.ts";

/** `loop turns retry`. */
export default class TurnsRetryCommand extends TurnsResolveCommand {
  protected override readonly how = "retry";
}
