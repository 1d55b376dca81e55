import { describe, expect, test } from "vitest";
import { checkManifest, type SeenFile } from "../../src/manifest/drift.ts";
import { footprint, manifestPath } from "../../src/manifest/footprint.ts";
import { covers, isManifestPath, readManifest } from "../../src/manifest/manifest.ts";

const file = { path: manifestPath, role: "manifest", owner: "loop" };
const good = { version: 1, product: "loop", productVersion: "0.1.0", files: [file] };
const problems = (value: unknown): readonly string[] => {
  const read = readManifest(value);
  return read.ok ? [] : read.problems;
};

describe("what a manifest may hold", () => {
  test("a good one is read as it is", () =>
    expect(readManifest(good)).toEqual({ ok: true, manifest: good }));

  test.each<[string, unknown, string]>([
    ["no mapping", ["a"], "it holds no mapping"],
    [
      "an unknown key",
      { ...good, more: 1 },
      "more: there is no such key; the keys are version, product, productVersion, files",
    ],
    ["another version", { ...good, version: 2 }, "version: must be 1"],
    ["another product", { ...good, product: "other" }, "product: must be loop"],
    ["a version that is no text", { ...good, productVersion: 1 }, "productVersion: must be a text"],
    ["an empty version", { ...good, productVersion: "" }, "productVersion: must be a text"],
    ["nothing", null, "it holds no mapping"],
    ["files that are no list", { ...good, files: {} }, "files: must be a list"],
    ["a file that is none", { ...good, files: ["x"] }, "files[0]: must be a mapping"],
    [
      "a way out",
      { ...good, files: [{ ...file, path: "../x" }] },
      "files[0].path: must be a path below the repository's root, such as docs/specs/ or .loop/manifest.yaml",
    ],
    [
      "a role in capitals",
      { ...good, files: [{ ...file, role: "Manifest" }] },
      "files[0].role: must be lower-case letters and dashes, at most 40",
    ],
    [
      "a role with more behind it",
      { ...good, files: [{ ...file, role: "manifest 2" }] },
      "files[0].role: must be lower-case letters and dashes, at most 40",
    ],
    [
      "a role that is no text",
      { ...good, files: [{ ...file, role: ["manifest"] }] },
      "files[0].role: must be lower-case letters and dashes, at most 40",
    ],
    [
      "an owner that is none",
      { ...good, files: [{ ...file, owner: "me" }] },
      "files[0].owner: must be loop or project",
    ],
    [
      "a short digest",
      { ...good, files: [{ ...file, sha256: "abc" }] },
      "files[0].sha256: must be 64 lower-case hex digits, of a file",
    ],
    [
      "a digest with more before it",
      { ...good, files: [{ ...file, sha256: `0${"a".repeat(64)}` }] },
      "files[0].sha256: must be 64 lower-case hex digits, of a file",
    ],
    [
      "a digest with more behind it",
      { ...good, files: [{ ...file, sha256: `${"a".repeat(64)}0` }] },
      "files[0].sha256: must be 64 lower-case hex digits, of a file",
    ],
    [
      "a digest that is no text",
      { ...good, files: [{ ...file, sha256: ["a".repeat(64)] }] },
      "files[0].sha256: must be 64 lower-case hex digits, of a file",
    ],
    [
      "a digest of a folder",
      { ...good, files: [{ ...file, path: "a/", sha256: "a".repeat(64) }] },
      "files[0].sha256: must be 64 lower-case hex digits, of a file",
    ],
    [
      "an unknown key of a file",
      { ...good, files: [{ ...file, size: 1 }] },
      "files[0].size: there is no such key; the keys are path, role, owner, sha256",
    ],
    [
      "a file twice",
      { ...good, files: [file, file] },
      `files[1].path: ${manifestPath} stands there twice`,
    ],
  ])("refused: %s", (_, value, problem) => expect(problems(value)).toContain(problem));

  test("a digest of a file, and an owner that is the project", () => {
    const files = [
      { ...file, sha256: "0123456789abcdef".repeat(4) },
      { path: "docs/specs/", role: "artifacts", owner: "project" },
    ];
    expect(readManifest({ ...good, files })).toEqual({ ok: true, manifest: { ...good, files } });
  });

  test("every problem is told at once, and files that cannot be read are not counted as doubles", () => {
    expect(
      problems({
        version: 2,
        files: ["x", "x", { ...file, owner: "me" }, { ...file, path: ["a"] }],
      }),
    ).toEqual([
      "version: must be 1",
      "product: must be loop",
      "productVersion: must be a text",
      "files[0]: must be a mapping",
      "files[1]: must be a mapping",
      "files[2].owner: must be loop or project",
      "files[3].path: must be a path below the repository's root, such as docs/specs/ or .loop/manifest.yaml",
    ]);
    expect(problems({ version: 1, product: "loop", productVersion: "1" })).toEqual([
      "files: must be a list",
    ]);
  });

  test("a long key is told by its beginning", () => {
    expect(problems({ ...good, ["k".repeat(70)]: 1 })).toEqual([
      `${"k".repeat(60)}: there is no such key; the keys are version, product, productVersion, files`,
    ]);
  });

  test.each(["a", "a/", "a/b", ".loop/x", "a.git", "...", `${"a".repeat(999)}/`])(
    "%j is a path of a manifest",
    (path) => expect(isManifestPath(path)).toBe(true),
  );

  test.each([
    "",
    `${"a".repeat(1_000)}/`,
    "a\0b",
    "a//",
    "/a",
    "a//b",
    "./a",
    "a/..",
    "../a",
    "a\\b",
    ".git/config",
    "a/.git/x",
    "/",
  ])("%j is no path of a manifest", (path) => expect(isManifestPath(path)).toBe(false));

  test("a folder covers what is below it, and not what only begins alike", () => {
    const files = [{ path: "docs/specs/", role: "artifacts", owner: "project" as const }];
    expect([
      covers({ files }, "docs/specs/issue-7/design.md"),
      covers({ files }, "docs/specs-old/x"),
      covers({ files }, "docs/specs"),
    ]).toEqual([true, false, false]);
    const one = [{ path: "docs/a.md", role: "artifacts", owner: "project" as const }];
    expect([covers({ files: one }, "docs/a.md"), covers({ files: one }, "docs/a.md.bak")]).toEqual([
      true,
      false,
    ]);
  });
});

describe("the check of a manifest", () => {
  const manifest = {
    version: 1,
    product: "loop",
    productVersion: "0.1.0",
    files: [...footprint.map(({ path, role, owner }) => ({ path, role, owner }))],
  } as const;
  const here = (...paths: readonly string[]) => paths.map((path) => ({ path, sha256: null }));
  const found = (seen: readonly SeenFile[], of: Parameters<typeof checkManifest>[0] = manifest) =>
    checkManifest(of, seen).map(({ kind, path }) => `${kind} ${path}`);

  test("content: everything listed is there, folders may be empty", () =>
    expect(found(here(manifestPath, ".loop/harness-config.yaml", "src/x.ts"))).toEqual([]));
  test("missing", () =>
    expect(found(here(manifestPath))).toEqual(["missing .loop/harness-config.yaml"]));
  test("unlisted in .loop, and where learnings lie; files of the project are nobody's business", () => {
    const alone = { ...manifest, files: manifest.files.slice(0, 1) };
    expect(
      found(
        here(
          manifestPath,
          ".loop/other.yaml",
          "docs/learnings/learnings.md",
          "docs/specs/a.md",
          "src/x.ts",
        ),
        alone,
      ),
    ).toEqual(["unlisted .loop/other.yaml", "unlisted docs/learnings/learnings.md"]);
  });
  test("each finding has its sentence", () => {
    const files = [
      { path: "a", role: "x", owner: "loop" as const },
      { path: "b", role: "x", owner: "loop" as const, sha256: "a".repeat(64) },
      { path: "c", role: "x", owner: "loop" as const, sha256: "a".repeat(64) },
    ];
    expect(checkManifest({ ...manifest, files }, here("b", ".loop/x"))).toEqual([
      { kind: "missing", path: "a", message: "is listed and not there" },
      { kind: "missing", path: "c", message: "is listed and not there" },
      { kind: "changed", path: "b", message: "is not as it was when it was listed" },
      { kind: "unlisted", path: ".loop/x", message: "is a file of the product and not listed" },
    ]);
  });
  test("changed", () => {
    const one = {
      ...manifest,
      files: [
        { path: manifestPath, role: "manifest", owner: "loop" as const, sha256: "a".repeat(64) },
      ],
    };
    expect(found([{ path: manifestPath, sha256: "a".repeat(64) }], one)).toEqual([]);
    expect(found([{ path: manifestPath, sha256: "b".repeat(64) }], one)).toEqual([
      `changed ${manifestPath}`,
    ]);
  });
});
