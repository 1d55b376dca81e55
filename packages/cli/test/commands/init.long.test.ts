import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseRemote } from "../../src/git/remote-of-checkout.ts";
import { loadConfig } from "../../src/configuration/load-config.ts";
import { openStoreOf } from "../../src/start/open.ts";
import { type Asked, hostThat, sceneAt } from "../support/host-for-init.ts";
import { createScene, type Scene } from "../support/scene.ts";

describe("loop init", () => {
  test("--yes takes the checkout's remote and the token's login, and makes the label", async () => {
    const host = await hostThat();
    const scene = sceneAt(host);
    const ran = await scene.loop("--config", scene.configFile, "init", "--yes", "--force");
    expect(ran, ran.err).toMatchObject({ code: 0 });
    expect(ran.out).toContain('Created label "loop: auto-execute"');
    expect(ran.out).not.toContain("webhook to");
    expect(host.asked.filter(({ method }) => method === "POST").map(({ path }) => path)).toEqual([
      "/repos/ada/garden/labels",
    ]);
    const text = scene.text();
    expect(text).toContain("polling:\n  enabled: true");
    expect(text).not.toContain("hostWebhook");
    expect(text).toContain("- ada/garden");
    expect(text).toContain("- ada\n");
    expect(text).toContain(host.url);
    expect(statSync(join(scene.dir, "loop.env")).mode & 0o777).toBe(0o600);
    expect((await scene.loop("config", "validate")).code).toBe(0);
  });

  test("pins the authorized user to the account that has the login now, and says when that was another one before", async () => {
    const scene = sceneAt(await hostThat());
    const first = await scene.loop("--config", scene.configFile, "init", "--yes", "--force");
    expect(first.out).toContain("✓ Pinned @ada to account 7");
    const store = await openStoreOf(loadConfig(scene.configFile, scene));
    expect(await store.items.pinnedActor("ada")).toBe("7");
    await store.items.unpinActor("ada", []);
    await store.items.pinActor({ login: "ada", id: "5" });
    await store.close();
    const again = await scene.loop("--config", scene.configFile, "init", "--yes", "--force");
    expect(again.out).toContain(
      "@ada was account 5 before and is account 7 now. If that is the same person, run `loop actors forget ada`.",
    );
    expect(await scene.loop("actors", "forget", "ada")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Forgot account 5 of @ada"),
    });
    expect(
      (await scene.loop("--config", scene.configFile, "init", "--yes", "--force")).out,
    ).toContain("✓ Pinned @ada to account 7");
  });

  test("asks to check a login that the code host doesn't have", async () => {
    const scene = sceneAt(await hostThat());
    expect(
      (await scene.loop("--config", scene.configFile, "init", "--yes", "--force", "--user", "typo"))
        .out,
    ).toContain("Check the login @typo: the code host has no such account.");
  });

  test.each(["bo-", "bo--x", "ada_corp", "ada.lovelace"])("takes the login %s", async (login) => {
    const scene = sceneAt(await hostThat());
    expect(
      await scene.loop("--config", scene.configFile, "init", "--yes", "--force", "--user", login),
    ).toMatchObject({ code: 0, out: expect.stringContaining(`✓ Pinned @${login} to account`) });
    expect((await scene.loop("config", "validate")).code).toBe(0);
  });

  test("with a public URL it makes the webhook too, with the secret that it wrote", async () => {
    const host = await hostThat();
    const scene = sceneAt(host);
    const ran = await scene.loop(
      "--config",
      scene.configFile,
      "init",
      "--yes",
      "--force",
      "--public-url",
      "https://loop.example.org",
    );
    expect(ran.out).toContain("Created webhook to https://loop.example.org/host-webhook");
    expect(ran.out).not.toContain("Add a webhook");
    const secret = /LOOP_HOST_WEBHOOK_SECRET=([0-9a-f]{64})/.exec(
      readFileSync(join(scene.dir, "loop.env"), "utf8"),
    )?.[1];
    expect(
      host.asked.find(({ method, path }) => method === "POST" && path.endsWith("/hooks"))?.body,
    ).toMatchObject({
      config: { url: "https://loop.example.org/host-webhook", secret },
      active: true,
    });
    expect(ran.out).not.toContain(secret);
  });

  test("--webhook takes webhooks whose address comes later, and says how to make one", async () => {
    const scene = sceneAt(await hostThat());
    const ran = await scene.loop(
      "--config",
      scene.configFile,
      "init",
      "--yes",
      "--force",
      "--webhook",
      "--json",
    );
    expect(ran, ran.err).toMatchObject({ code: 0 });
    expect(ran.json()).toMatchObject({ ingress: "webhook", publicUrl: null });
    expect(ran.out).toContain("Add a webhook to ada/garden");
    expect(scene.text()).toContain("hostWebhook:\n    enabled: true");
  });

  test("what the token may not do is said, with how to do it by hand", async () => {
    const scene = sceneAt(await hostThat((path) => path.endsWith("/hooks")));
    const ran = await scene.loop(
      "--config",
      scene.configFile,
      "init",
      "--yes",
      "--force",
      "--public-url",
      "https://loop.example.org",
    );
    expect(ran.code).toBe(0);
    expect(ran.out).toContain("Created label");
    expect(ran.out).toMatch(/Add a webhook to ada\/garden: URL https:.*Creating it failed/);
  });

  test("on a terminal it asks four questions at most, and proposes what it knows", async () => {
    const scene = sceneAt(await hostThat());
    const asked: string[] = [];
    const answers = ["", "@grace", "", ""];
    scene.terminal((question) => (asked.push(question), answers[asked.length - 1] ?? ""));
    const ran = await scene.loop("--config", scene.configFile, "init", "--force");
    expect(ran, ran.err).toMatchObject({ code: 0 });
    expect(asked).toHaveLength(4);
    expect(asked[0]).toContain("[ada/garden]");
    expect(asked[1]).toContain("[ada]");
    expect(scene.text()).toContain("- grace");
  });

  test("an answer that will not do is said, and asked again", async () => {
    const scene = sceneAt(await hostThat());
    const asked: string[] = [];
    const answers = [
      "garden",
      "https://git.example.org/ada/garden.git",
      "a b",
      "ada_acme",
      "loop.example.org",
      "",
      "",
    ];
    scene.terminal((question) => (asked.push(question), answers[asked.length - 1] ?? ""));
    const ran = await scene.loop("--config", scene.configFile, "init", "--force");
    expect(ran, ran.err).toMatchObject({ code: 0 });
    expect(
      ran.err
        .split("\n")
        .filter((each) => !each.startsWith("Sending"))
        .slice(0, 3),
    ).toEqual([
      'Invalid repository "garden". Write it as owner/name, or as its URL.',
      expect.stringContaining('Invalid login "a b"'),
      expect.stringContaining('Invalid public URL "loop.example.org"'),
    ]);
    expect(scene.text()).toContain("- ada_acme\n");
    expect(scene.text()).toContain("host: git.example.org\n");
    expect(ran.out).toContain("Code host: git.example.org");
  });

  test("what stood there is kept beside the new configuration", async () => {
    const scene = sceneAt(await hostThat());
    const before = scene.text();
    const ran = await scene.loop(
      "--config",
      scene.configFile,
      "init",
      "--yes",
      "--force",
      "--json",
    );
    const { copy } = ran.json() as { copy: string };
    expect(readFileSync(copy, "utf8")).toBe(before);
    expect(
      (await scene.loop("--config", scene.configFile, "init", "--yes", "--force")).out,
    ).toContain("✓ Backup: ");
  });

  test("the token's line is there to be filled in; one that only this shell has is to be put there", async () => {
    const scene = sceneAt(await hostThat());
    const env = join(scene.dir, "loop.env");
    const once = await scene.loop("--config", scene.configFile, "init", "--yes", "--force");
    expect(readFileSync(env, "utf8")).toMatch(/^# LOOP_HOST_TOKEN=$/m);
    expect(once.out).toContain(`Set LOOP_HOST_TOKEN in ${env} too`);
    writeFileSync(
      env,
      readFileSync(env, "utf8").replace(/^# LOOP_HOST_TOKEN=$/m, "LOOP_HOST_TOKEN=tok"),
    );
    expect(
      (await scene.loop("--config", scene.configFile, "init", "--yes", "--force")).out,
    ).not.toContain("outside this shell");
  });

  test.each(["git@gh-work:ada/garden.git", "ssh://git@gh-work:2222/ada/garden.git"])(
    "a name of somebody's ssh configuration is no code host: %s",
    async (origin) => {
      const scene = sceneAt(await hostThat());
      execFileSync("git", ["-C", scene.cwd, "remote", "set-url", "origin", origin]);
      expect(
        (
          await scene.loop("--config", scene.configFile, "init", "--yes", "--force", "--json")
        ).json(),
      ).toMatchObject({ repository: "ada/garden", host: null });
    },
  );

  test("an address that was typed says on which host it lies, whatever the checkout's remote says; a remote that says nothing leaves the default", async () => {
    const scene = sceneAt(await hostThat());
    execFileSync("git", [
      "-C",
      scene.cwd,
      "remote",
      "set-url",
      "origin",
      "https://git.example.org/ada/garden.git",
    ]);
    const typed = await scene.loop(
      "--config",
      scene.configFile,
      "init",
      "--yes",
      "--force",
      "--repository",
      "https://github.com/ada/garden",
    );
    expect(typed.out).toContain("Code host: github.com");
    expect(scene.text()).not.toContain("git.example.org");
  });

  test("says where the token goes before it is sent", async () => {
    const host = await hostThat();
    const scene = sceneAt(host);
    const ran = await scene.loop("--config", scene.configFile, "init", "--yes", "--force");
    expect(ran.err).toBe(`Sending the token in LOOP_HOST_TOKEN to ${host.url}\n`);
  });

  test("never writes down a host that only the folder's remote names, so that no later command sends the token there", async () => {
    const host = await hostThat();
    const scene = sceneAt(host);
    const remote = new URL(host.url).host;
    execFileSync("git", [
      "-C",
      scene.cwd,
      "remote",
      "set-url",
      "origin",
      `${host.url}/ada/garden.git`,
    ]);
    scene.configure("");
    const init = ["--config", scene.configFile, "init", "--yes", "--force", "--user", "ada"];
    for (const named of [[], [], ["--repository", "ada/garden"]]) {
      const ran = await scene.loop(...init, ...named);
      expect(ran).toMatchObject({
        code: 2,
        out: "",
        err: expect.stringContaining("LOOP_E_INIT_REPOSITORY"),
      });
      expect(ran.err).toContain(`Add --repository ${remote}/ada/garden`);
      expect(scene.text()).toBe("");
    }
    expect(host.asked).toEqual([]);
    expect(await scene.loop(...init, "--repository", `${remote}/ada/garden`)).toMatchObject({
      code: 0,
    });
    expect(scene.text()).toContain(`host: ${remote}\n`);
  });

  test("asks again on a terminal where the answer leaves the host to the folder's remote", async () => {
    const scene = createScene("");
    execFileSync("git", ["init", "-q", scene.cwd]);
    execFileSync("git", [
      "-C",
      scene.cwd,
      "remote",
      "add",
      "origin",
      "https://git.example.org/ada/garden.git",
    ]);
    const answers = ["ada/garden", "github.com/ada/garden", "ada", "", ""];
    scene.terminal(() => answers.shift() ?? "");
    const ran = await scene.loop("--config", scene.configFile, "init", "--force");
    expect(ran).toMatchObject({
      code: 0,
      err: expect.stringContaining("Only this directory's git remote"),
    });
    expect(scene.text()).not.toContain("git.example.org");
  });

  test("proposes a foreign host by its name, and who accepts it has chosen it", async () => {
    const scene = createScene("");
    execFileSync("git", ["init", "-q", scene.cwd]);
    execFileSync("git", [
      "-C",
      scene.cwd,
      "remote",
      "add",
      "origin",
      "https://git.example.org/ada/garden.git",
    ]);
    const asked: string[] = [];
    const answers = ["", "ada", "", ""];
    scene.terminal((question) => (asked.push(question), answers[asked.length - 1] ?? ""));
    expect(await scene.loop("--config", scene.configFile, "init", "--force")).toMatchObject({
      code: 0,
    });
    expect(asked[0]).toContain("[git.example.org/ada/garden]");
    expect(scene.text()).toContain("host: git.example.org\n");
  });

  test("where no folder can be made it says so", async () => {
    const scene = sceneAt(await hostThat());
    const ran = await scene.loop(
      "--config",
      join(scene.configFile, "x.yaml"),
      "init",
      "--yes",
      "--repository",
      "ada/garden",
      "--user",
      "ada",
    );
    expect(ran).toMatchObject({
      code: 2,
      err: expect.stringContaining("LOOP_E_CONFIG_UNWRITABLE"),
    });
  });

  test.each([["loop.env"], ["new.yaml"]])(
    "refuses a link %s to a file that isn't there before it writes anything",
    async (name) => {
      const scene = sceneAt(await hostThat());
      delete scene.env["LOOP_HOST_TOKEN"];
      const [file, target] = [join(scene.dir, "new.yaml"), join(scene.dir, "nowhere")];
      symlinkSync(target, join(scene.dir, name));
      const init = [
        "--config",
        file,
        "init",
        "--yes",
        "--repository",
        "ada/garden",
        "--user",
        "ada",
      ];
      for (const more of [[], ["--force"]]) {
        const ran = await scene.loop(...init, ...more);
        expect(ran).toMatchObject({
          code: 2,
          out: "",
          err: expect.stringContaining(`→ Run: rm '${join(scene.dir, name)}'`),
        });
        expect([existsSync(file), existsSync(target)]).toEqual([false, false]);
      }
      execFileSync("sh", ["-c", `rm '${join(scene.dir, name)}'`]);
      expect(await scene.loop(...init)).toMatchObject({ code: 0 });
    },
  );

  test("how a host was reached says nothing about another one", async () => {
    const scene = sceneAt(await hostThat());
    scene.configure(
      "integrations: { codeHost: { host: old.example.org, apiBaseUrl: https://old.example.org/api, tokenEnv: GARDEN_TOKEN } }\n",
    );
    const ran = await scene.loop(
      "--config",
      scene.configFile,
      "init",
      "--yes",
      "--force",
      "--user",
      "ada",
      "--repository",
      "https://git.example.org/ada/garden",
    );
    expect(ran, ran.err).toMatchObject({ code: 0 });
    expect(scene.text()).toMatch(
      /codeHost:\n {4}tokenEnv: GARDEN_TOKEN\n {4}host: git\.example\.org\n/,
    );
    expect(scene.text()).not.toContain("old.example.org");
  });

  test("the line for the token has the name that the configuration has for it", async () => {
    const scene = createScene(
      "integrations: { codeHost: { host: git.example.org, tokenEnv: GARDEN_TOKEN } }\n",
    );
    const ran = await scene.loop(
      "--config",
      scene.configFile,
      "init",
      "--yes",
      "--force",
      "--repository",
      "ada/garden",
      "--user",
      "ada",
    );
    expect(ran.out).toContain("Code host: git.example.org");
    expect(readFileSync(join(scene.dir, "loop.env"), "utf8")).toMatch(/^# GARDEN_TOKEN=$/m);
  });

  test("without a token, a repository or a login it says what is missing", async () => {
    const scene = createScene();
    const to = ["--config", join(scene.dir, "new.yaml")];
    expect((await scene.loop("init", "--yes")).err).toContain("LOOP_E_INIT_REPOSITORY");
    expect((await scene.loop("init", "--yes", "--repository", "ada/garden")).err).toContain(
      "LOOP_E_INIT_USER",
    );
    expect(
      (
        await scene.loop(
          "init",
          "--yes",
          "--repository",
          "ada/garden",
          "--user",
          "ada",
          "--public-url",
          "loop.example.org",
        )
      ).err,
    ).toContain("LOOP_E_INIT_URL");
    expect((await scene.loop(...to, "init", "--yes", "--repository", "ada/garden")).err).toContain(
      "LOOP_E_INIT_USER",
    );
    expect(
      (
        await scene.loop(
          "--config",
          scene.configFile,
          "init",
          "--yes",
          "--repository",
          "ada/garden",
          "--user",
          "ada",
        )
      ).err,
    ).toContain("LOOP_E_INIT_EXISTS");
    expect((await scene.loop("init", "--yes", "--repository", "bad")).err).toContain(
      'Invalid repository "bad"',
    );
    expect(
      (await scene.loop("init", "--yes", "--repository", "ada/garden", "--user", "a b")).err,
    ).toContain('Invalid login "a b"');
    writeFileSync(join(scene.dir, "new.yaml"), "routing: {}\n");
    const made = await scene.loop(
      ...to,
      "init",
      "--yes",
      "--force",
      "--repository",
      "ada/garden",
      "--user",
      "ada",
    );
    expect(made.out).toContain("to a token of github.com with these permissions: ");
  });
});

test.each([
  ["https://github.com/ada/garden.git", "github.com", "ada/garden"],
  ["git@git.example.org:ada/garden", "git.example.org", "ada/garden"],
  ["ssh://git@git.example.org:2222/ada/garden.git", "git.example.org", "ada/garden"], // The port is that of ssh.
  ["http://localhost:4600/ada/garden.git", "localhost:4600", "ada/garden"],
  ["/srv/git/garden.git", null, null],
  ["../garden", null, null],
])("the remote %s", (url, host, repository) => {
  const remote = parseRemote(url);
  expect(remote === null ? null : { host: remote.web, repository: remote.repository }).toEqual(
    host === null ? null : { host, repository },
  );
});

describe("loop init and a webhook secret", () => {
  const url = ["--public-url", "https://loop.example.org"];

  /** A scene whose env file is there before `loop init` runs. */
  async function sceneWithEnvFile(
    content: string,
    mode = 0o600,
  ): Promise<{
    readonly scene: Scene;
    readonly asked: readonly Asked[];
    readonly file: string;
    init(...more: string[]): ReturnType<Scene["loop"]>;
  }> {
    const host = await hostThat();
    const scene = sceneAt(host);
    const file = join(scene.dir, "loop.env");
    writeFileSync(file, content);
    chmodSync(file, mode);
    return {
      scene,
      asked: host.asked,
      file,
      init: (...more) =>
        scene.loop("--config", scene.configFile, "init", "--yes", "--force", ...url, ...more),
    };
  }

  const hooksOf = (asked: readonly Asked[]): readonly unknown[] =>
    asked
      .filter(({ method, path }) => method === "POST" && path.endsWith("/hooks"))
      .map(({ body }) => body);

  test("adds a secret to an env file that has none, and creates the webhook with that one", async () => {
    const { asked, file, init, scene } = await sceneWithEnvFile("LOOP_HOST_TOKEN=tok");
    const ran = await init();
    expect(ran, ran.err).toMatchObject({
      code: 0,
      out: expect.stringContaining(`✓ Secrets: ${file} (webhook secret added)`),
    });
    const [, secret] =
      /^LOOP_HOST_TOKEN=tok\nLOOP_HOST_WEBHOOK_SECRET=([0-9a-f]{64})\n$/.exec(
        readFileSync(file, "utf8"),
      ) ?? [];
    expect(hooksOf(asked)).toMatchObject([{ config: { secret } }]);
    expect(secret).toBeDefined();
    expect(scene.text()).toContain("publicUrl: https://loop.example.org/host-webhook");
    expect((await init()).out).toContain(`✓ Secrets: ${file} (unchanged)`);
  });

  test.each([
    ["empty", "LOOP_HOST_WEBHOOK_SECRET=\n", "LOOP_E_INIT_SECRET"],
    ["a comment by mistake", "LOOP_HOST_WEBHOOK_SECRET=#Sup3r\n", "LOOP_E_ENV_FILE"],
    [
      "behind a byte-order mark",
      "\u{feff}LOOP_HOST_WEBHOOK_SECRET=0123456789abcdef\n",
      "LOOP_E_ENV_FILE",
    ],
    [
      "ended by a line break",
      'LOOP_HOST_WEBHOOK_SECRET="0123456789abcdef\\n"\n',
      "LOOP_E_INIT_SECRET",
    ],
  ])(
    "creates no webhook and changes nothing where the one in the env file is %s",
    async (_, content, code) => {
      const { asked, file, init, scene } = await sceneWithEnvFile(content);
      const before = scene.text();
      expect(await init()).toMatchObject({ code: 2, out: "", err: expect.stringContaining(code) });
      expect(hooksOf(asked)).toEqual([]);
      expect([readFileSync(file, "utf8"), scene.text()]).toEqual([content, before]);
    },
  );

  test.each([0o640, 0o604, 0o660])(
    "refuses an env file of mode %o, and takes it after the chmod that it names",
    async (mode) => {
      const { asked, file, init } = await sceneWithEnvFile(
        "LOOP_HOST_WEBHOOK_SECRET=0123456789abcdef\n",
        mode,
      );
      const ran = await init();
      expect(ran).toMatchObject({
        code: 2,
        err: expect.stringContaining("LOOP_E_ENV_FILE_SHARED"),
      });
      expect(hooksOf(asked)).toEqual([]);
      const [, command = ""] = /Run: (chmod [^\n]+)/.exec(ran.err) ?? [];
      execFileSync("sh", ["-c", command]);
      expect((await init()).code).toBe(0);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    },
  );

  test("writes the secret that this shell exports, as the webhook gets that one", async () => {
    const host = await hostThat();
    const scene = sceneAt(host);
    scene.env["LOOP_HOST_WEBHOOK_SECRET"] = "exported #0123456789";
    expect(
      (await scene.loop("--config", scene.configFile, "init", "--yes", "--force", ...url)).code,
    ).toBe(0);
    expect(readFileSync(join(scene.dir, "loop.env"), "utf8")).toContain(
      "LOOP_HOST_WEBHOOK_SECRET='exported #0123456789'\n",
    );
    expect(hooksOf(host.asked)).toMatchObject([{ config: { secret: "exported #0123456789" } }]);
    expect((await scene.loop("config", "validate")).code).toBe(0);
  });

  test("refuses two different secrets, and an empty one that this shell exports", async () => {
    const { asked, init, scene } = await sceneWithEnvFile(
      "LOOP_HOST_WEBHOOK_SECRET=0123456789abcdef\n",
    );
    for (const exported of ["fedcba9876543210", "", "0123456789abcdef "]) {
      scene.env["LOOP_HOST_WEBHOOK_SECRET"] = exported;
      expect((await init()).code, exported).toBe(2);
    }
    expect(hooksOf(asked)).toEqual([]);
    delete scene.env["LOOP_HOST_WEBHOOK_SECRET"];
    expect((await init()).code).toBe(0);
  });
});
