/**
 * A file, or with a slash at its end a folder with everything below it. `sha256` is of a file that
 * only the product changes.
 */
export type ManifestFile = {
  readonly path: string;
  readonly role: string;
  readonly owner: "loop" | "project";
  readonly sha256?: string;
};

/** `.loop/manifest.yaml`: what the product creates, maintains or tracks in a repository. */
export type Manifest = {
  readonly version: 1;
  readonly product: "loop";
  readonly productVersion: string;
  readonly files: readonly ManifestFile[];
};

/** `problems` are sentences, each with its place. */
export type ParsedManifest =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads what a manifest's text holds; every problem at once. */
export function readManifest(value: unknown): ParsedManifest {
  if (!isRecord(value)) return { ok: false, problems: ["it holds no mapping"] };
  const { version, product, productVersion, files } = value;
  const problems = [
    ...unknownKeys(value, ["version", "product", "productVersion", "files"], ""),
    ...(version === 1 ? [] : ["version: must be 1"]),
    ...(product === "loop" ? [] : ["product: must be loop"]),
    ...(typeof productVersion === "string" && productVersion !== ""
      ? []
      : ["productVersion: must be a text"]),
    ...(Array.isArray(files) ? [] : ["files: must be a list"]),
  ];
  const read = Array.isArray(files)
    ? files.map((each: unknown, at) => readFile(each, `files[${at}]`))
    : [];
  const all = [
    ...problems,
    ...read.flatMap((each) => (typeof each === "string" ? [each] : [])),
    ...doubled(read),
  ];
  if (all.length > 0) return { ok: false, problems: all };
  return {
    ok: true,
    manifest: {
      version: 1,
      product: "loop",
      productVersion: String(productVersion),
      files: read.filter((each) => typeof each !== "string"),
    },
  };
}

function readFile(value: unknown, at: string): ManifestFile | string {
  if (!isRecord(value)) return `${at}: must be a mapping`;
  const { path, role, owner, sha256 } = value;
  const [unknown] = unknownKeys(value, ["path", "role", "owner", "sha256"], `${at}.`);
  if (unknown !== undefined) return unknown;
  if (typeof path !== "string" || !isManifestPath(path))
    return `${at}.path: must be a path below the repository's root, such as docs/specs/ or .loop/manifest.yaml`;
  if (typeof role !== "string" || !/^[a-z][a-z-]{0,39}$/.test(role))
    return `${at}.role: must be lower-case letters and dashes, at most 40`;
  if (owner !== "loop" && owner !== "project") return `${at}.owner: must be loop or project`;
  if (sha256 === undefined) return { path, role, owner };
  if (typeof sha256 !== "string" || !/^[0-9a-f]{64}$/.test(sha256) || path.endsWith("/"))
    return `${at}.sha256: must be 64 lower-case hex digits, of a file`;
  return { path, role, owner, sha256 };
}

/**
 * Below the root, without a way out of it, in one spelling: no empty, `.` or `..` part, no
 * backslash.
 */
export function isManifestPath(path: string): boolean {
  if (path.length > 1_000 || path.includes("\\") || path.includes("\0")) return false;
  const parts = (path.endsWith("/") ? path.slice(0, -1) : path).split("/");
  return parts.every((part) => part !== "" && part !== "." && part !== ".." && part !== ".git");
}

function doubled(files: readonly (ManifestFile | string)[]): readonly string[] {
  const paths = files.map((each) => (typeof each === "string" ? null : each.path));
  return paths.flatMap((path, at) =>
    path !== null && paths.indexOf(path) < at
      ? [`files[${at}].path: ${path} stands there twice`]
      : [],
  );
}

/** Whether a path is listed, by itself or by a folder above it. */
export function covers({ files }: Pick<Manifest, "files">, path: string): boolean {
  return files.some(
    (file) => file.path === path || (file.path.endsWith("/") && path.startsWith(file.path)),
  );
}

function unknownKeys(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  at: string,
): readonly string[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map(
      (key) => `${at}${key.slice(0, 60)}: there is no such key; the keys are ${known.join(", ")}`,
    );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
