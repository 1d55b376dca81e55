import { expect, test } from "vitest";
import { documentedKeys } from "../../src/config/document-keys.ts";
import { takesEffect } from "../../src/config/in-force.ts";
import { refusedKeys } from "../../src/config/refused-keys.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|");

/**
 * What is written of a key of which a running service takes no change up. Another place for keys
 * says nothing of its own.
 */
const restart = (path: string, type: string): string =>
  !type.startsWith("as ") && takesEffect(path) === "restart" ? ". Needs a restart" : "";

/**
 * The reference as a page; `vitest run --project core -u` writes it anew after a change of the
 * table.
 */
function page(): string {
  return [
    "# Configuration: every key of `cli-config.yaml`",
    "",
    "Made from the table in `packages/core/src/config/schema.ts`; a test fails when the two differ.",
    "The file is searched for as `--config PATH`, `$LOOP_CONFIG`, `./cli-config.yaml`, `./.loop/cli-config.yaml`, `~/.loop/cli-config.yaml`.",
    "One in the working directory is used after [`loop config trust`](security.md#where-the-configuration-comes-from), with the text that you trusted.",
    "A running service takes a changed key up at its next use, such as at the next turn or event; one that needs a restart says so, here, in the service's log and in `loop config show --effective`.",
    "Relative paths begin at the file's folder, or at its parent when that folder is named `.loop`; `~` is the home folder.",
    "",
    "| key | type | default | meaning |",
    "|---|---|---|---|",
    ...documentedKeys().map(
      ({ path, type, default: fallback, doc }) =>
        `| \`${path}\` | ${cell(type)} | ${fallback === "" ? "" : `\`${cell(fallback)}\``} | ${cell(doc)}${restart(path, type)} |`,
    ),
    "",
    "Keys that are refused, and what to do instead:",
    "",
    "| key | instead |",
    "|---|---|",
    ...Object.entries(refusedKeys).map(([path, hint]) => `| \`${path}\` | ${cell(hint)} |`),
    "",
  ].join("\n");
}

test("the page in docs is the table", async () => {
  await expect(page()).toMatchFileSnapshot("../../../../docs/configuration.md");
});
