import { GraphSteerCommand } from "./steer-command.ts";

/** `loop graph advance`. */
export default class GraphAdvanceCommand extends GraphSteerCommand {
  override readonly step = "advance";
}
