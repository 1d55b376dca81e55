import { join } from "node:path";
import { LoopError } from "@loopwork/core/errors";
import {
  checkManifest,
  isManifestPath,
  type Manifest,
  type ManifestFile,
  manifestPath,
} from "@loopwork/core/manifest";
import type { Command as Commander } from "commander";
import { readManifestFile, writeManifestFile } from "../manifest/manifest-file.ts";
import { addFile, emptyManifest, parseManifest, removeFile } from "../manifest/manifest-text.ts";
import { isFile, repositoryRoot, seenFiles, sha256Of } from "../manifest/repository-files.ts";
import type { Ports } from "../start/ports.ts";
import { refuseInsideTurn } from "../steer/refuse-agents.ts";
import {
  type Call,
  Command,
  done,
  flag,
  line,
  register,
  type Result,
  textOption,
} from "./command.ts";

/**
 * `loop manifest check`: whether the repository has what its manifest lists, and lists what of the
 * product it has.
 */
class ManifestCheckCommand extends Command {
  override run(_call: Call, ports: Ports): Promise<Result> {
    const root = repositoryRoot(ports.io.cwd);
    const { manifest } = readManifestOf(root);
    const findings = checkManifest(manifest, seenFiles(root, manifest.files));
    if (findings.length === 0)
      return Promise.resolve(
        done(
          { files: manifest.files, findings },
          line(
            `✓ ${manifestPath} matches the repository (${manifest.files.length} ${manifest.files.length === 1 ? "entry" : "entries"})`,
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

/** `loop manifest add`: lists a file, or a folder with everything below it. */
class ManifestAddCommand extends Command {
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

/** `loop manifest remove`: lists a file no longer. The file itself stays. */
class ManifestRemoveCommand extends Command {
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

register("manifest check", ManifestCheckCommand);
register("manifest add", ManifestAddCommand);
register("manifest remove", ManifestRemoveCommand);

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

/** A guest must not install anything, so a manifest begins only where somebody says so. */
function createIn(root: string, version: string): void {
  if (readManifestFile(root) === null) writeManifestFile(root, emptyManifest(version));
}

function readManifestOf(root: string): { readonly text: string; readonly manifest: Manifest } {
  const text = readManifestFile(root);
  if (text === null)
    throw new LoopError(
      "LOOP_E_MANIFEST_MISSING",
      `This repository has no ${manifestPath}`,
      "If its people want loop there, run `loop manifest add <path> --role <role> --create`",
    );
  const parsed = parseManifest(text);
  if (!parsed.ok)
    throw new LoopError(
      "LOOP_E_MANIFEST",
      `Invalid ${manifestPath}: ${parsed.problems.join("; ")}`,
      "Fix it by hand, or restore it from git",
    );
  return { text, manifest: parsed.manifest };
}
