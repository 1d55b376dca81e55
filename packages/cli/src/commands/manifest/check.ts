import { checkManifest, manifestPath } from "@loopwork/core/config";
import { repositoryRoot, seenFiles } from "../../manifest/repository-files.ts";
import type { Ports } from "../../ports/command-ports.ts";
import { Command } from "../command.ts";
import type { Call } from "../../io/call.ts";
import { done, line, type Result } from "../../output/result.ts";
import { readManifestOf } from "./read-manifest.ts";

/**
 * `loop manifest check`: whether the repository has what its manifest lists, and
 * lists what of the product it has.
 */
export default class ManifestCheckCommand extends Command {
  override run(_call: Call, ports: Ports): Promise<Result> {
    const root = repositoryRoot(ports.io.cwd);
    const { manifest } = readManifestOf(root);
    const count = manifest.files.length;
    const findings = checkManifest(manifest, seenFiles(root, manifest.files));
    if (findings.length === 0)
      return Promise.resolve(
        done(
          { files: manifest.files, findings },
          line(
            `✓ ${manifestPath} matches the repository (${count} ${count === 1 ? "entry" : "entries"})`,
            "good",
          ),
        ),
      );
    return Promise.resolve({
      exit: 1,
      data: { files: manifest.files, findings },
      view: findings.map(({ path, message }) => line(`${path} ${message}`, "warn")),
    });
  }
}
