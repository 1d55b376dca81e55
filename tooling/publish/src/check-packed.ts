import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { inspect } from "./inspect.ts";
import { packAll } from "./pack.ts";
import { readTarball } from "./tarball.ts";
import { typesWrong } from "./types-wrong.ts";
import { readManifests } from "./workspace.ts";

/**
 * The quick part of what `npm run test:publish` proves, without an installation: part of `npm
 * test`.
 */
const root = fileURLToPath(new URL("../../..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "loop-packed-"));
try {
  const tarballs = await packAll(root, scratch, readManifests(root));
  const problems: string[] = [];
  for (const [name, file] of tarballs) {
    const bytes = new Uint8Array(readFileSync(file));
    const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
    problems.push(
      ...inspect(name, readTarball(file)),
      ...(await typesWrong(name, bytes)),
      ...messages.map(
        (message) => `${name}: ${formatMessage(message, pkg, { color: false }) ?? message.code}`,
      ),
    );
  }
  process.stdout.write([`${tarballs.size} packages packed`, ...problems, ""].join("\n"));
  process.exitCode = problems.length === 0 && tarballs.size > 0 ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
