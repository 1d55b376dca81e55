import fc from "fast-check";
import { expect, test } from "vitest";
import { offendingKeys, parseConfigList } from "../src/local-config.ts";

test("W05 W06 W07: keys that could run a program or lead elsewhere are off the list", () => {
  const bad = [
    "filter.x.smudge",
    "filter.x.process",
    "filter.lfs.smudge",
    "include.path",
    "includeif.gitdir:/.path",
    "core.sshcommand",
    "core.fsmonitor",
    "core.pager",
    "core.editor",
    "core.hookspath",
    "core.gitproxy",
    "core.worktree",
    "core.attributesfile",
    "core.excludesfile",
    "core.askpass",
    "core.alternaterefscommand",
    "url.ext::sh.insteadof",
    "credential.helper",
    "credential.https://x.helper",
    "remote.origin.uploadpack",
    "remote.origin.receivepack",
    "remote.origin.vcs",
    "remote.origin.proxy",
    "alias.status",
    "diff.external",
    "diff.x.command",
    "diff.x.textconv",
    "merge.x.driver",
    "gpg.program",
    "gpg.ssh.program",
    "sequence.editor",
    "submodule.x.update",
    "uploadpack.packobjectshook",
    "protocol.ext.allow",
    "http.proxy",
    "http.sslverify",
    "trailer.x.command",
    "lfs.customtransfer.x.path",
    "browser.x.cmd",
    "pager.status",
    "interactive.difffilter",
    "mergetool.x.cmd",
  ];
  expect(offendingKeys(bad.map((key) => ({ key, value: "/tmp/trap" })))).toEqual(bad);
});

test("what git, its large-file extension and people's tools write by themselves stays", () => {
  const good = [
    "core.repositoryformatversion=0",
    "core.hookspath=.husky",
    "core.hookspath=.husky/_",
    "core.hookspath=./.githooks/",
    "core.excludesfile=/r/.git/worktrees/x/loop-exclude",
    "core.fsmonitor=true",
    "user.email=a@b",
    "remote.origin.url=https://x/y",
    "remote.origin.fetch=+refs/heads/*:refs/remotes/origin/*",
    "branch.issue-7.remote=origin",
    "branch.a.b.c.merge=refs/heads/a.b.c",
    "gc.auto=0",
    "extensions.worktreeconfig=true",
    "filter.lfs.smudge=git-lfs smudge -- %f",
    "lfs.https://x/info/lfs.access=basic",
    "submodule.a.url=https://x",
    "commit.gpgsign=true",
  ];
  const entries = good.map((line) => ({
    key: line.slice(0, line.indexOf("=")),
    value: line.slice(line.indexOf("=") + 1),
  }));
  expect(offendingKeys(entries)).toEqual([]);
});

test("a value that git cannot take for what it expects is off the list, whatever the key", () => {
  const bad = [
    "core.repositoryformatversion=99",
    "core.bare=true",
    "core.abbrev=x",
    "core.abbrev=0",
    "core.compression=99",
    "core.filemode=perhaps",
    "core.autocrlf=x y",
    "core.hookspath=~nobody/x",
    "core.hookspath=~/hooks",
    "core.hookspath=/r/.husky",
    "core.hookspath=src/hooks",
    "core.hookspath=.husky/../src",
    "core.hookspath=.husky/../../.husky",
    "core.hookspath=.",
    "core.hookspath=",
    "core.fsmonitor=.git/monitor",
    "core.fsmonitor= true",
    "core.excludesfile=~nobody/loop-exclude",
    "index.version=9",
    "push.default=x",
    "fetch.recursesubmodules=x",
    "submodule.recurse=x",
    "diff.algorithm=x",
    "branch.autosetuprebase=x",
    "remote.origin.fetch=x y",
    "remote.a.fetch=+refs/heads/*:refs/x",
    "remote.a.fetch=a:b:c",
    "remote.a.push=-x",
    "branch.main.rebase=x",
    "remote.a.constructor=x",
  ];
  const good = [
    "core.bare=false",
    "core.abbrev=12",
    "core.autocrlf=input",
    "core.fsmonitor=false",
    "remote.a.fetch=+refs/pull/*/head:refs/remotes/a/pr/*",
    "remote.a.fetch=^refs/heads/skip",
    "remote.a.fetch=+refs/heads/main:refs/remotes/a/main",
    "remote.a.push=HEAD",
    "pull.rebase=merges",
    "color.ui=auto",
    "index.threads=true",
    "commit.verbose=2",
  ];
  const entries = (lines: readonly string[]) =>
    lines.map((line) => ({
      key: line.slice(0, line.indexOf("=")),
      value: line.slice(line.indexOf("=") + 1),
    }));
  expect(entries(bad).filter((entry) => offendingKeys([entry]).length === 0)).toEqual([]);
  expect(offendingKeys(entries(good))).toEqual([]);
});

test("a listing is read as git writes it, values with newlines and keys without a value among them", () => {
  expect(parseConfigList("a.b\nc\nd\0e.f\0g.h.i\n\0")).toEqual([
    { key: "a.b", value: "c\nd" },
    { key: "e.f", value: "" },
    { key: "g.h.i", value: "" },
  ]);
  fc.assert(fc.property(fc.string(), (text) => void offendingKeys(parseConfigList(text))));
});
