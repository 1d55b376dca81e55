import { EffectsResolveCommand } from "./resolve-command.ts";

/** `loop effects drop`. */
export default class EffectsDropCommand extends EffectsResolveCommand {
  protected override readonly how = "drop";
}
