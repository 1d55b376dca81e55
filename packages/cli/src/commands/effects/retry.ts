import { EffectsResolveCommand } from "./resolve-command.ts";

/** `loop effects retry`. */
export default class EffectsRetryCommand extends EffectsResolveCommand {
  protected override readonly how = "retry";
}
