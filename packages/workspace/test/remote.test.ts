import { expect, test } from "vitest";
import { ownBaseOf, WorkspaceError } from "../src/index.ts";
import { remoteOf } from "../src/remote.ts";

const host = "example.org";
const own = "http://127.0.0.1:4242/";

test("W08: addresses on the item's own host, by https and ssh", () => {
  expect(remoteOf("https://example.org/maria/garden.git", host, null)).toEqual({
    url: "https://example.org/maria/garden.git",
    protocol: "https",
  });
  expect(
    remoteOf("https://Example.org:8443/maria/garden.git", "example.org:8443", null).protocol,
  ).toBe("https");
  expect(remoteOf("ssh://git@example.org/maria/garden.git", host, null).protocol).toBe("ssh");
  expect(remoteOf("git@example.org:maria/garden.git", host, null)).toEqual({
    url: "git@example.org:maria/garden.git",
    protocol: "ssh",
  });
});

test("a name and password in an address are dropped: logins are the user's own", () => {
  expect(remoteOf("https://x:secret@example.org/a/b.git", host, null).url).toBe(
    "https://example.org/a/b.git",
  );
});

test("W08: every other address is refused, and never with its password", () => {
  const bad = [
    "ext::sh -c id",
    "ext::sh%20-c%20id",
    "file:///etc",
    "/etc",
    "../x",
    "git://example.org/a/b",
    "http://example.org/a/b.git",
    "https://evil.org/a/b.git",
    "https://example.org.evil.org/a/b",
    "ssh://-oProxyCommand=id/x",
    "-u./x",
    "-oProxyCommand=id:x",
    "git@-oProxyCommand=id:x",
    "git@evil.org:a/b",
    "git@example.org:-x",
    "ext::https://example.org/",
    "https://example.org/a\nb",
    "https://example.org/ä",
    "",
    `https://example.org/${"x".repeat(2_000)}`,
    "javascript:alert(1)",
    "https://u:secret@evil.org/a.git",
  ];
  for (const url of bad) {
    let thrown: unknown = null;
    try {
      remoteOf(url, host, null);
    } catch (error) {
      thrown = error;
    }
    expect(thrown, url).toBeInstanceOf(WorkspaceError);
    expect(String(thrown)).not.toContain("secret");
  }
});

test("plain http and local paths only below the operator's own base", () => {
  expect(remoteOf("http://127.0.0.1:4242/maria/garden.git", "127.0.0.1:4242", own)).toEqual({
    url: "http://127.0.0.1:4242/maria/garden.git",
    protocol: "http",
  });
  expect(remoteOf("file:///srv/git/garden.git", host, "file:///srv/git").protocol).toBe("file");
  const beside = [
    "http://127.0.0.1:4243/maria/garden.git",
    "http://127.0.0.1/maria/garden.git",
    "file:///srv/git/garden.git",
  ];
  for (const url of beside)
    expect(() => remoteOf(url, "127.0.0.1:4242", own)).toThrow(WorkspaceError);
  for (const url of [
    "file:///srv/gitter/x",
    "file:///srv/git/../etc",
    "file:///srv/git/%2e%2e/etc",
    "file://elsewhere/srv/git/x",
  ])
    expect(() => remoteOf(url, host, "file:///srv/git")).toThrow(WorkspaceError);
});

test("the operator's base comes from a plain http address of the interface, and from nothing else", () => {
  expect(ownBaseOf("http://127.0.0.1:4242/api/v3")).toBe("http://127.0.0.1:4242/");
  expect([ownBaseOf(null), ownBaseOf("https://example.org/api/v3"), ownBaseOf("nonsense")]).toEqual(
    [null, null, null],
  );
});
