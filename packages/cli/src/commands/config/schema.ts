import { configJsonSchema } from "@loopwork/core/config";
import type { Ports } from "../../ports/command-ports.ts";
import { Command } from "../command.ts";
import type { Call } from "../../io/call.ts";
import type { Result } from "../../output/result.ts";

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
