import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** One rule about the text of tracked files, and why it stands. */
type Rule = { readonly name: string; readonly files: RegExp; readonly except?: RegExp; readonly pattern: RegExp };

const typescript = /\.(ts|mts|mjs)$/;
const self = /^tooling\/lint\/(src\/repository-rules|test\/)/;

/** Rules that no linter of ours has (design/style: habits; architecture: what may never be). */
export const rules: readonly Rule[] = [
  { name: "no module mocks", files: typescript, except: self, pattern: /\bvi\.(mock|doMock|unstable_mockModule)\(/ },
  { name: "no focused, skipped or planned tests", files: /\.test\.ts$/, except: self, pattern: /\b(it|test|describe)\.(only|skip|todo)\b/ },
  { name: "no decorator syntax", files: typescript, except: self, pattern: /^\s*@[a-zA-Z]\w*(\(.*\))?\s*(export\s+)?(abstract\s+)?class\b/m },
  { name: "no compiler ignores", files: typescript, except: self, pattern: /@ts-(ignore|nocheck)/ },
  { name: "nothing unfinished", files: /^(packages|plugins)\/.*\/(src|skills|commands)\/.*$/, pattern: /\b(TODO|FIXME|XXX)\b|[Nn]ot implemented/ },
  { name: "no path of a machine", files: /./, except: self, pattern: /(?:^|[\s"'`(=])\/(?:work|farm|root)\/[A-Za-z0-9._-]+/m },
  { name: "sibling imports only in cli/src/start", files: /^packages\/(?!cli\/src\/start\/)[^/]+\/src\/.*\.ts$/, pattern: /from ["']@loopwork\/(cli|receiver|control-plane|learnings|workspace|harness-a|harness-b|store|codehost)/ },
];

/** `file:line: rule` for each place that breaks one; files are repository paths. */
export function breaches(files: readonly { readonly path: string; readonly text: string }[]): readonly string[] {
  return files.flatMap(({ path, text }) => rules.filter((rule) => rule.files.test(path) && rule.except?.test(path) !== true).flatMap((rule) => lineOf(rule.pattern, text).map((line) => `${path}:${line}: ${rule.name}`)));
}

function lineOf(pattern: RegExp, text: string): readonly number[] {
  const found = pattern.exec(text);
  return found === null ? [] : [text.slice(0, found.index).split("\n").length];
}

/** Text files that git tracks, or would track; lockfiles and pictures are left out. */
export function trackedFiles(root: string): readonly { readonly path: string; readonly text: string }[] {
  const names = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" }).split("\n");
  return names
    .filter((name) => name !== "" && !/(^|\/)(pnpm-lock\.yaml|package-lock\.json)$|\.(png|ico|woff2?)$/.test(name))
    .flatMap((path) => {
      try {
        return [{ path, text: readFileSync(join(root, path), "utf8") }];
      } catch {
        return []; // Deleted in the work tree, and not yet in the index.
      }
    });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const files = trackedFiles(process.cwd());
  const found = breaches(files);
  process.stdout.write([`${files.length} files read`, ...found, ""].join("\n"));
  process.exitCode = found.length === 0 && files.length > 0 ? 0 : 1;
}
