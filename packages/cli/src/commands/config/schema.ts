import { configJsonSchema } from "@loopwork/core/config";
import type { Ports } from "../../start/ports.ts";
import { type Call, Command, type Result } from "../command.ts";

/** `loop config schema`: the JSON Schema of `cli-config.yaml`, for editors and checkers. */
export default class ConfigSchemaCommand extends Command {
  override run(_call: Call, _ports: Ports): Promise<Result> {
    const schema = configJsonSchema();
    return Promise.resolve({
      exit: 0,
      data: schema,
      view: [{ kind: "verbatim", text: JSON.stringify(schema, null, 2) }],
    });
  }
}
