import { manifestPath } from "@loopwork/core/config";
import type { Command as Commander } from "commander";
import { writeManifestFile } from "../../manifest/manifest-file.ts";
import { removeFile } from "../../manifest/manifest-text.ts";
import { repositoryRoot } from "../../manifest/repository-files.ts";
import type { Ports } from "../../ports/command-ports.ts";
import { refuseInsideTurn } from "../../steer/refuse-agents.ts";
import { Command } from "../command.ts";
import type { Call } from "../../io/call.ts";
import { done, line, type Result } from "../../output/result.ts";
import { readManifestOf } from "./read-manifest.ts";

/** `loop manifest remove`: lists a file no longer. The file itself stays. */
export default class ManifestRemoveCommand extends Command {
  override describe(command: Commander): void {
    command.argument("<path>", "Path, as listed");
  }

  override run(call: Call, ports: Ports): Promise<Result> {
    refuseInsideTurn(ports, "change the manifest");
    const root = repositoryRoot(ports.io.cwd);
    const { text } = readManifestOf(root);
    const path = call.args[0] ?? "";
    const changed = removeFile(text, path);
    if (changed === text)
      return Promise.resolve({
        exit: 1,
        data: { path, removed: false },
        view: [line(`${manifestPath} doesn't list ${path}`, "dim")],
      });
    writeManifestFile(root, changed);
    return Promise.resolve(
      done(
        { path, removed: true },
        line(`✓ Removed ${path} from ${manifestPath}. The file itself stays.`, "good"),
      ),
    );
  }
}
