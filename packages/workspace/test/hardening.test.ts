import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { complaintOf, withoutUserinfo } from "../src/failure.ts";
import { createGit } from "../src/git.ts";
import { hardenedConfig, hardenedEnv, userSshCommand } from "../src/hardening.ts";
import { createWorkspace } from "../src/index.ts";
import { createScratch, requestFor, type Scratch } from "./scratch.ts";

describe("the environment of our git", () => {
  test("keeps logins and the user's choices, drops what would lead it astray", () => {
    const env = hardenedEnv(
      {
        PATH: "/bin",
        HOME: "/h",
        SSH_AUTH_SOCK: "/s",
        HTTPS_PROXY: "p",
        GIT_ASKPASS: "/a",
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "k",
        GIT_CONFIG_VALUE_0: "v",
        GIT_DIR: "/evil",
        GIT_WORK_TREE: "/evil",
        GIT_INDEX_FILE: "/evil",
        GIT_OBJECT_DIRECTORY: "/evil",
        GIT_CONFIG_PARAMETERS: "'a.b=c'",
        GIT_EXTERNAL_DIFF: "/evil",
        GIT_TEMPLATE_DIR: "/evil",
        GIT_EXEC_PATH: "/evil",
        GIT_ALLOW_PROTOCOL: "ext",
        MISSING: undefined,
      },
      "ssh -i key",
      null,
    );
    expect(env).toEqual({
      PATH: "/bin",
      HOME: "/h",
      SSH_AUTH_SOCK: "/s",
      HTTPS_PROXY: "p",
      GIT_ASKPASS: "/a",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "k",
      GIT_CONFIG_VALUE_0: "v",
      GIT_ALLOW_PROTOCOL: "https:ssh",
      GIT_SSH_COMMAND: "ssh -i key",
      GIT_TERMINAL_PROMPT: "0",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_EDITOR: "false",
      GIT_PAGER: "cat",
      GCM_INTERACTIVE: "never",
      GIT_DEFAULT_REF_FORMAT: "files",
      LC_ALL: "C",
    });
  });

  test("git complains in English, whatever language its user reads", () => {
    expect(
      hardenedEnv({ LANG: "de_DE.UTF-8", LC_ALL: "de_DE.UTF-8", LANGUAGE: "de" }, "ssh", null)[
        "LC_ALL"
      ],
    ).toBe("C");
  });

  test("one more transport only for the command that needs it", () => {
    expect(hardenedEnv({}, "ssh", "http")["GIT_ALLOW_PROTOCOL"]).toBe("https:ssh:http");
    expect(hardenedConfig(null)).toEqual(
      expect.arrayContaining([
        "protocol.allow=never",
        "protocol.file.allow=never",
        "protocol.http.allow=never",
        "protocol.ext.allow=never",
        "core.hooksPath=/dev/null",
        "core.fsmonitor=false",
      ]),
    );
    expect(hardenedConfig("file")).toEqual(
      expect.arrayContaining(["protocol.file.allow=always", "protocol.http.allow=never"]),
    );
  });

  test("W07: the user's ssh program, by variable, own file, older variable", () => {
    expect(userSshCommand({ GIT_SSH_COMMAND: "a -b", GIT_SSH: "c" }, "d")).toBe("a -b");
    expect(userSshCommand({ GIT_SSH: "c" }, "d -e")).toBe("d -e");
    expect(userSshCommand({ GIT_SSH: "/it's/ssh" }, "")).toBe("'/it'\\''s/ssh'");
    expect(userSshCommand({}, "")).toBe("ssh");
  });
});

const nowhere = { kind: "nowhere" } as const;

describe("with real git", () => {
  let scratch: Scratch;
  beforeEach(() => void (scratch = createScratch()));
  afterEach(() => scratch.stop());

  test("a daemon that was started inside another repository's hook works in its own places", async () => {
    const astray = {
      ...scratch.env,
      GIT_DIR: join(scratch.source, ".git"),
      GIT_WORK_TREE: scratch.source,
      GIT_INDEX_FILE: join(scratch.source, ".git/index"),
      GIT_CONFIG_PARAMETERS: `'core.hooksPath=${scratch.folder}'`,
    };
    const before = scratch.git(scratch.source, "rev-parse", "HEAD");
    expect(
      await createWorkspace({ ...scratch.options, env: astray }).prepare(requestFor(scratch)),
    ).toMatchObject({ kind: "ready", head: before });
    expect(scratch.git(scratch.source, "status", "--porcelain")).toBe("");
    expect(scratch.git(scratch.source, "worktree", "list").split("\n")).toHaveLength(1);
  });

  test("configuration that the user hands in by variables is followed", async () => {
    const env = {
      ...scratch.env,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: `url.file://${scratch.remotes}/.insteadOf`,
      GIT_CONFIG_VALUE_0: "short:",
    };
    expect(
      await createGit(env).run(nowhere, [
        "config",
        "--get",
        `url.file://${scratch.remotes}/.insteadOf`,
      ]),
    ).toBe("short:\n");
  });

  test("W08: transports that nobody allowed are refused by git itself, whatever the configuration says", async () => {
    writeFileSync(
      join(scratch.home, ".gitconfig"),
      '[protocol]\n\tallow = always\n[protocol "ext"]\n\tallow = always\n',
    );
    const git = createGit(scratch.env);
    for (const url of [`ext::${scratch.trap}`, `file://${scratch.remotes}/garden.git`])
      await expect(git.run(nowhere, ["ls-remote", "--end-of-options", url])).rejects.toMatchObject({
        code: "LOOP_E_WORKSPACE_GIT",
        message: expect.stringContaining("not allowed"),
      });
    expect(
      await git.run(
        nowhere,
        ["ls-remote", "--end-of-options", `file://${scratch.remotes}/garden.git`],
        { protocol: "file" },
      ),
    ).toContain("refs/heads/main");
  });

  test("a command that takes too long is ended", async () => {
    const slow = createGit({ ...scratch.env, GIT_SSH_COMMAND: "sleep 3 #" });
    await expect(
      slow.run(nowhere, ["ls-remote", "--end-of-options", "git@example.org:a/b.git"], {
        minutes: 0.01,
        protocol: "ssh",
      }),
    ).rejects.toMatchObject({ code: "LOOP_E_WORKSPACE_GIT" });
  });
});

test("P17: complaints of git are passed on without passwords in addresses", () => {
  expect(withoutUserinfo("cannot reach 'https://u:p@ss@h.org/x' or ssh://git@h/y at all")).toBe(
    "cannot reach 'https://h.org/x' or ssh://h/y at all",
  );
  expect(
    complaintOf(new Error("noise\nfatal: unable to access 'https://tok:en@h.org/': no\n")),
  ).toBe("fatal: unable to access 'https://h.org/': no");
  expect(complaintOf(new Error(""))).toBe("git said nothing");
});
