import { join } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import { isManifestPath, type ManifestFile, manifestPath } from "@loopwork/core/config";
import type { Command as Commander } from "commander";
import { readManifestFile, writeManifestFile } from "../../manifest/manifest-file.ts";
import { addFile, emptyManifest, parseManifest } from "../../manifest/manifest-text.ts";
import { isFile, repositoryRoot, sha256Of } from "../../manifest/repository-files.ts";
import type { Ports } from "../../ports/command-ports.ts";
import { refuseInsideTurn } from "../../steer/refuse-agents.ts";
import { Command } from "../command.ts";
import { type Call, flag, textOption } from "../../io/call.ts";
import { done, line, type Result } from "../../output/result.ts";
import { readManifestOf } from "./read-manifest.ts";

/** `loop manifest add`: lists a file, or a folder with everything below it. */
export default class ManifestAddCommand extends Command {
  override describe(command: Commander): void {
    command
      .argument("<path>", "Path from the repository's root, ending in / for a whole folder")
      .requiredOption("--role <role>", "What it is for, such as artifacts or learnings")
      .option("--owner <owner>", "Who can change it: loop or project", "project")
      .option(
        "--digest",
        "Record the file's SHA-256, so that `loop manifest check` notices changes",
      )
      .option("--create", "Create the manifest if the repository has none");
  }

  override run(call: Call, ports: Ports): Promise<Result> {
    refuseInsideTurn(ports, "change the manifest");
    const root = repositoryRoot(ports.io.cwd);
    const file = fileOf(call, root);
    if (flag(call, "create")) createIn(root, ports.io.version);
    const { text } = readManifestOf(root);
    const changed = addFile(text, file);
    const parsed = parseManifest(changed);
    if (!parsed.ok)
      throw new LoopError(
        "LOOP_E_USAGE",
        parsed.problems.map((problem) => problem.replace(/^files\[\d+\]\./, "")).join("; "),
        "Run `loop manifest add --help`",
      );
    writeManifestFile(root, changed);
    return Promise.resolve(done(file, line(`✓ Added ${file.path} to ${manifestPath}`, "good")));
  }
}

function fileOf(call: Call, root: string): ManifestFile {
  const path = call.args[0] ?? "";
  const owner = textOption(call, "owner");
  if (!isManifestPath(path))
    throw new LoopError(
      "LOOP_E_USAGE",
      `Invalid path ${JSON.stringify(path)}: expected a path inside the repository`,
      "Write it from the repository's root, such as docs/specs/",
    );
  if (owner !== "loop" && owner !== "project")
    throw new LoopError(
      "LOOP_E_USAGE",
      `Invalid --owner ${JSON.stringify(owner)}: expected loop or project`,
      "Use --owner loop or --owner project",
    );
  const listed = { path, role: textOption(call, "role") ?? "", owner } as const;
  if (!flag(call, "digest")) return listed;
  if (!isFile(join(root, path)))
    throw new LoopError(
      "LOOP_E_USAGE",
      `Can't record a digest: ${path} is not a file`,
      "Leave out --digest, or name a file",
    );
  return { ...listed, sha256: sha256Of(join(root, path)) };
}

/**
 * A guest must not install anything, so a manifest begins only where somebody says
 * so.
 */
function createIn(root: string, version: string): void {
  if (readManifestFile(root) === null) writeManifestFile(root, emptyManifest(version));
}
