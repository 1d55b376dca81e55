import type { PackedFile } from "./tarball.ts";
import { objectOf } from "./workspace.ts";

/** What must lie in every package, and what must never. */
const needed = ["package.json", "README.md", "LICENSE", "dist/index.js", "dist/index.d.ts"];
/** What only one package needs beyond that: the control plane serves its page out of itself. */
const neededBy: Readonly<Record<string, readonly string[]>> = {
  "@loopwork/control-plane": ["dist/ui/index.html", "dist/ui/licenses.md"],
};
const unwanted = /(^|\/)(\.tsbuildinfo|node_modules|test|\.env|\.npmrc)(\/|$)|\.map$|\.log$/;

/** What is wrong with the files of a packed package, each in one sentence. */
export function inspect(name: string, files: readonly PackedFile[]): readonly string[] {
  const paths = files.map(({ path }) => path);
  const missing = [...needed, ...(neededBy[name] ?? [])]
    .filter((path) => !paths.includes(path))
    .map((path) => `${name} is packed without ${path}`);
  const stray = paths
    .filter((path) => unwanted.test(path))
    .map((path) => `${name} is packed with ${path}`);
  const empty = files
    .filter(({ path, bytes }) => path.startsWith("dist/") && bytes.length === 0)
    .map(
      ({ path }) =>
        `${name} is packed with an empty ${path}: two builds may have written it at once`,
    );
  const manifest = files.find(({ path }) => path === "package.json");
  return [
    ...missing,
    ...stray,
    ...empty,
    ...(manifest === undefined
      ? []
      : inspectManifest(name, new TextDecoder().decode(manifest.bytes))),
  ];
}

function inspectManifest(name: string, text: string): readonly string[] {
  const manifest = objectOf(JSON.parse(text));
  const wrong: string[] = [];
  for (const kind of ["dependencies", "peerDependencies", "optionalDependencies"]) {
    for (const [dependency, range] of Object.entries(objectOf(manifest[kind]))) {
      if (/^(workspace|catalog|file|link|git)/.test(String(range)))
        wrong.push(
          `${name} asks for ${dependency} at ${String(range)}, which nobody else can install`,
        );
    }
  }
  if (JSON.stringify(manifest["exports"] ?? {}).includes("./src/"))
    wrong.push(`${name} exports sources that are not packed`);
  const scripts = Object.keys(objectOf(manifest["scripts"])).filter((script) =>
    /^(pre|post)?install$/.test(script),
  );
  if (scripts.length > 0) wrong.push(`${name} runs ${scripts.join(", ")} when it is installed`);
  if (manifest["license"] !== "MIT") wrong.push(`${name} does not say its licence`);
  return wrong;
}
