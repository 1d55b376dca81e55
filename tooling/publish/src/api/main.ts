import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { readManifests } from "../workspace.ts";
import { apiReport } from "./report.ts";
import { entriesOf, firstDifference } from "./package.ts";

/**
 * `npm run api [-- --update]`: compares `packages/<name>/api.md` with what was built, or writes it.
 * Exit 1 where they differ.
 */
const root = fileURLToPath(new URL("../../../..", import.meta.url));
const update = process.argv.includes("--update");
let differing = 0;
for (const { name, folder } of readManifests(root)) {
  const page = join(folder, "api.md");
  const built = apiReport(
    name,
    entriesOf(name, readFileSync(join(folder, "package.json"), "utf8")),
    (file) => readFileSync(join(folder, file), "utf8"),
  );
  const present = existsSync(page) ? readFileSync(page, "utf8") : "";
  if (built === present) continue;
  if (update) {
    writeFileSync(page, built);
    process.stdout.write(`${relative(root, page)} is written anew\n`);
    continue;
  }
  differing += 1;
  process.stdout.write(
    `${relative(root, page)} is not what is built: ${firstDifference(present, built)}\n`,
  );
}
if (differing > 0)
  process.stdout.write(
    "if the change for users is meant: npm run api -- --update, and a changeset that says how large it is\n",
  );
process.exitCode = differing === 0 ? 0 : 1;
