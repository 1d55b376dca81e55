import { TurnsResolveCommand } from "./resolve-command.ts";

/** `loop turns drop`. */
export default class TurnsDropCommand extends TurnsResolveCommand {
  protected override readonly how = "drop";
}
