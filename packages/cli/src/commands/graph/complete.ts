import { GraphSteerCommand } from "./steer-command.ts";

/** `loop graph complete`. */
export default class GraphCompleteCommand extends GraphSteerCommand {
  override readonly step = "complete";
}
