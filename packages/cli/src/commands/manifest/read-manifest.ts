import { LoopError } from "@loopwork/core/ports";
import { type Manifest, manifestPath } from "@loopwork/core/config";
import { readManifestFile } from "../../manifest/manifest-file.ts";
import { parseManifest } from "../../manifest/manifest-text.ts";

/** The manifest of the repository at `root`; rejects where there is none, or one with mistakes. */
export function readManifestOf(root: string): {
  readonly text: string;
  readonly manifest: Manifest;
} {
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
