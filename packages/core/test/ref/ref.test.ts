import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatRef,
  isDomain,
  isOwnerName,
  isRepositoryName,
  largestNumber,
  parseRef,
  type Ref,
  refPrefix,
  refSlug,
  sameRef,
  toRefText,
} from "../../src/ref/ref.ts";

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const nameCodes = fc.constantFrom(...letters, "-", "_", ".");
const owner = fc
  .tuple(fc.constantFrom(...letters), fc.array(nameCodes, { maxLength: 63 }))
  .map(([first, rest]) => first + rest.join(""))
  .filter(isOwnerName);
const repo = fc
  .array(nameCodes, { minLength: 1, maxLength: 100 })
  .map((codes) => codes.join(""))
  .filter(isRepositoryName);
const host = fc.option(
  fc.constantFrom("git.example.org", "git.example.org:8443", "127.0.0.1:3000", "a.b", "host-1"),
  { nil: null },
);
const number = fc.oneof(
  fc.integer({ min: 1, max: largestNumber }),
  fc.constantFrom(1, largestNumber),
);
const refs: fc.Arbitrary<Ref> = fc.record({ host, owner, repo, number });

describe("refs", () => {
  it("read back what they write, in lower case", () => {
    fc.assert(
      fc.property(refs, (ref) => {
        const text = formatRef(ref);
        const read = parseRef(text);
        expect(read).toEqual({
          ...ref,
          owner: ref.owner.toLowerCase(),
          repo: ref.repo.toLowerCase(),
        });
        expect(read !== null && sameRef(read, ref)).toBe(true);
        expect(toRefText(text)).toBe(text);
      }),
      { numRuns: 3000 },
    );
  });

  it("leave the default host out, however it is written", () => {
    expect(parseRef("host:GitHub.com/Octo/Repo#7", "github.com")).toEqual({
      host: null,
      owner: "Octo",
      repo: "Repo",
      number: 7,
    });
    expect(parseRef("host:github.com/octo/repo#7")).toEqual({
      host: "github.com",
      owner: "octo",
      repo: "repo",
      number: 7,
    });
    expect(toRefText("host:github.com/Octo/Repo#7", "github.com")).toBe("host:octo/repo#7");
    expect(toRefText("host:Git.Example.org:8443/Octo/Repo#7", "github.com")).toBe(
      "host:git.example.org:8443/octo/repo#7",
    );
  });

  it("keep every number exactly", () => {
    expect(parseRef(`host:a/b#${largestNumber}`)?.number).toBe(2_147_483_647);
    for (const digits of [
      "0",
      "00",
      "01",
      "2147483648",
      "9999999999",
      "99999999999999999999",
      "1e3",
      "1.0",
      "-1",
      "+1",
      " 1",
      "1 ",
      "",
      "\u0661",
    ])
      expect(parseRef(`host:a/b#${digits}`), digits).toBeNull();
  });

  it.each([
    ["a/b#1"],
    ["host:a#1"],
    ["host:/b#1"],
    ["host:a/#1"],
    ["host:a/b"],
    ["host:a/b#"],
    ["HOST:a/b#1"],
    ["host:a/b/c/d#1"],
    ["host:../b#1"],
    ["host:a/..#1"],
    ["host:a/b#1#2"],
    ["host:a b/c#1"],
    ["host:evil@x/a/b#1"],
    ["host:x:99999/a/b#1"],
    ["host:x:0/a/b#1"],
    ["host:a/b%2fc#1"],
    ["host:a/b\n#1"],
    [" host:a/b#1"],
    [`host:a/${"x".repeat(200)}#1`],
    ["host:a/b#1".repeat(100_000)],
  ])("%s is none", (text) => {
    expect(parseRef(text)).toBeNull();
    expect(toRefText(text)).toBeNull();
  });

  it("compare without case, by number and host", () => {
    const ref: Ref = { host: null, owner: "Octo", repo: "Repo", number: 7 };
    expect(sameRef(ref, { ...ref, owner: "octo", repo: "REPO" })).toBe(true);
    expect(sameRef(ref, { ...ref, number: 8 })).toBe(false);
    expect(sameRef(ref, { ...ref, host: "git.example.org" })).toBe(false);
    expect(sameRef(ref, { ...ref, repo: "Rep" })).toBe(false);
  });

  it("never throw on anything that people paste", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const read = parseRef(`host:${text}`);
        if (read !== null) expect(parseRef(formatRef(read))).not.toBeNull();
      }),
      { numRuns: 3000 },
    );
  });
});

describe("W01 slugs", () => {
  it("are safe names of files", () => {
    fc.assert(
      fc.property(refs, (ref) => {
        const slug = refSlug(ref);
        expect(slug).toMatch(/^[a-z0-9][a-z0-9.+=_-]*$/);
        expect(slug.length).toBeLessThanOrEqual(255);
        if (ref.owner.length + ref.repo.length <= 60) expect(slug.length).toBeLessThanOrEqual(120);
        expect(slug.endsWith(".git") || slug.endsWith(".lock")).toBe(false);
      }),
      { numRuns: 3000 },
    );
  });

  it("are the same for the same ref and different for different ones", () => {
    fc.assert(
      fc.property(refs, refs, (a, b) => {
        expect(refSlug(a) === refSlug(b)).toBe(sameRef(a, b));
        expect(refSlug({ ...a, owner: a.owner.toUpperCase() })).toBe(refSlug(a));
      }),
      { numRuns: 5000 },
    );
  });

  it("keep apart what only looks alike", () => {
    const slugs = [
      { host: null, owner: "a", repo: "b-c", number: 1 },
      { host: null, owner: "a-b", repo: "c", number: 1 },
      { host: "a", owner: "b", repo: "c", number: 1 },
      { host: null, owner: "a.b", repo: "c", number: 1 },
      { host: null, owner: "a", repo: "b", number: 11 },
      { host: null, owner: "a", repo: "b1", number: 1 },
      { host: "h:1", owner: "a", repo: "b", number: 1 },
      { host: "h", owner: "1", repo: "a", number: 1 },
    ].map(refSlug);
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(refSlug({ host: "h:1", owner: "A", repo: "B", number: 1 })).toBe("h=1+a+b+1");
  });
});

describe("W01 the grammar of names", () => {
  it.each([
    ".",
    "..",
    ".git",
    "x.git",
    "X.GIT",
    "a/b",
    "-x",
    "",
    "x".repeat(101),
    "%2f",
    "a\u0000",
    "e\u0301",
    "\u00e9",
    "a b",
    "a\\b",
    "a:b",
    "a#b",
    "a@b",
    "~",
    "a\n",
  ])("refuses the repository %j", (name) => {
    expect(isRepositoryName(name)).toBe(false);
  });

  it.each([".github", "_x", "a.b", "x".repeat(100), "git", "CON"])(
    "takes the repository %j",
    (name) => {
      expect(isRepositoryName(name)).toBe(true);
    },
  );

  it.each(["..", ".github", "-x", "_x", "", "x".repeat(65), "a/b", "x.git", "\u0430"])(
    "refuses the owner %j",
    (name) => {
      expect(isOwnerName(name)).toBe(false);
    },
  );

  it.each(["octo", "Octo-Org", "a_b", "7", "x".repeat(64)])("takes the owner %j", (name) => {
    expect(isOwnerName(name)).toBe(true);
  });

  it.each([
    "",
    ".",
    "a..b",
    "-a",
    "a-",
    "a.",
    "A",
    "a_b",
    "a:0",
    "a:65536",
    "a:",
    ":1",
    "a:1:2",
    "x".repeat(71),
    "\u00e9",
  ])("refuses the domain %j", (domain) => {
    expect(isDomain(domain)).toBe(false);
  });

  it.each(["localhost", "localhost:8787", "a.b-c.d", "127.0.0.1", "xn--9ca.example"])(
    "takes the domain %j",
    (domain) => {
      expect(isDomain(domain)).toBe(true);
    },
  );
});

describe("the bounds of names and refs", () => {
  it.each<readonly [name: string, owner: boolean, repository: boolean]>([
    ["a", true, true],
    ["z", true, true],
    ["A", true, true],
    ["Z", true, true],
    ["0", true, true],
    ["9", true, true],
    ["_a", false, true],
    [".a", false, true],
    ["{a", false, false],
    ["agit", true, true],
    ["git", true, true],
    ["a.gi", true, true],
    ["a.gix", true, true],
    ["a.git", false, false],
    ["a.Git", false, false],
    ["a.gits", true, true],
  ])("%s is an owner: %s, a repository: %s", (name, asOwner, asRepository) =>
    expect([isOwnerName(name), isRepositoryName(name)]).toEqual([asOwner, asRepository]),
  );

  it.each(["a", "z", "0", "9", "a.b", "a-b", "x".repeat(70), "a:1", "a:65535", "z9.example:443"])(
    "%s is a domain",
    (domain) => expect(isDomain(domain)).toBe(true),
  );
  it.each(["{", "a..b", "a.-b", "a:65536", "a:99999999999"])("%s is none", (domain) =>
    expect(isDomain(domain)).toBe(false),
  );

  it("takes the longest ref that names and numbers make, and nothing longer", () => {
    const [domain, name] = ["d".repeat(70), "r".repeat(100)];
    const longest = `host:${domain}/${"o".repeat(64)}/${name}#2147483647`;
    expect(parseRef(longest)).toMatchObject({ host: domain, repo: name, number: largestNumber });
    expect(parseRef(`${longest}0`)).toBeNull();
    for (const text of [
      "host:a/b",
      "host:#1",
      "host:",
      "host:a#1",
      "host:a/b#01",
      "host:a/b#12345678901",
    ])
      expect(parseRef(text)).toBeNull();
  });

  it("begins all refs of a repository alike", () => {
    expect(refPrefix({ host: null, owner: "Octo", repo: "Shop" })).toBe("host:octo/shop#");
    expect(refPrefix({ host: "Code.Example", owner: "Octo", repo: "Shop" })).toBe(
      "host:code.example/octo/shop#",
    );
  });
});
