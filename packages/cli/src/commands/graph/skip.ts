import { GraphSteerCommand } from "./steer-command.ts";

/** `loop graph skip`. */
export default class GraphSkipCommand extends GraphSteerCommand {
  override readonly step = "skip";
}
