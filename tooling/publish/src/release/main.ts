import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { packAll } from "../pack.ts";
import { readManifests } from "../workspace.ts";
import { parseReleasable, releaseOrder, withRepository } from "./order.ts";
import { publishNew } from "./publish-new.ts";

/**
 * The last step of `.github/workflows/release.yml`: packs every package and publishes with
 * provenance what is not published yet.
 */
const root = fileURLToPath(new URL("../../../..", import.meta.url));
const repository = process.env["GITHUB_REPOSITORY"];
if (repository === undefined || process.env["ACTIONS_ID_TOKEN_REQUEST_URL"] === undefined) {
  process.stderr.write(
    "releases are made by the workflow .github/workflows/release.yml, which can prove where they come from\n",
  );
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), "loop-release-"));
try {
  const manifests = readManifests(root);
  const files = manifests.map(({ folder }) => join(folder, "package.json"));
  for (const [at, file] of files.entries())
    writeFileSync(
      file,
      withRepository(
        readFileSync(file, "utf8"),
        repository,
        relative(root, manifests[at]?.folder ?? root),
      ),
    );
  const ours = new Set(manifests.map(({ name }) => name));
  const packages = releaseOrder(
    files.map((file) => parseReleasable(readFileSync(file, "utf8"), ours)),
  );
  const tarballs = await packAll(root, scratch, manifests);
  for (const line of await publishNew(packages, tarballs, scratch, {
    all: [],
    publish: ["--provenance"],
  }))
    process.stdout.write(`${line}\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
