import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { createScene } from "../support/scene.ts";
import { createWorld } from "../support/world.ts";

describe("loop doctor", () => {
  test("polling without a token is a defect with what to do, as nothing would be seen", async () => {
    const world = await createWorld({ more: "polling: { enabled: true }" });
    delete world.scene.env["LOOP_HOST_TOKEN"];
    expect(await world.scene.loop("doctor")).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /✗ Code host +LOOP_HOST_TOKEN isn't set: only public repositories can be polled[^\n]*\n +→ Set LOOP_HOST_TOKEN to a token of /,
      ),
    });
  });

  test("each repository is read with the token, and one that it may not see is a defect", async () => {
    const world = await createWorld();
    world.scene.configure(
      world.scene.text().replace("[practice/garden]", "[practice/garden, practice/nothing]"),
    );
    const looked = await world.scene.loop("doctor");
    expect(looked).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /✗ Repository +practice\/nothing not found, or not visible to the token in LOOP_HOST_TOKEN\n +→ Check routing\.repositories/,
      ),
    });
    expect(looked.out).toMatch(/! Repository +practice\/garden has no label/);
  });

  test("a repository without the label is a warning with what to type, and none once that was typed", async () => {
    const world = await createWorld();
    const looked = await world.scene.loop("doctor");
    expect(looked).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /! Repository +practice\/garden has no label "loop: auto-execute"/,
      ),
    });
    const [, header = "", body = "", address = ""] =
      /curl -X POST -H "([^"]+)" -H "Content-Type: application\/json" -d '([^']+)' (\S+)/.exec(
        looked.out,
      ) ?? [];
    const [name = "", value = ""] = header.split(": ");
    expect(
      await fetch(address, {
        method: "POST",
        headers: {
          [name]: value.replace("$LOOP_HOST_TOKEN", world.scene.env["LOOP_HOST_TOKEN"] ?? ""),
        },
        body,
      }),
    ).toMatchObject({ status: 201 });
    expect((await world.scene.loop("doctor")).out).toMatch(
      /✓ Repository +practice\/garden, with label "loop: auto-execute"/,
    );
  });
});

describe("loop doctor without routing.workspace.root", () => {
  test("a folder in which no session may work is a defect, with why and what to do", async () => {
    const world = await createWorld();
    const at = (workdir: string): void =>
      world.scene.configure(
        world.scene
          .text()
          .replace(
            /workspace: \{ root: checkouts \}|spawnWorkdir: .*/,
            `spawnWorkdir: ${JSON.stringify(workdir)}`,
          ),
      );
    at(world.scene.home);
    git(world.scene.home, "init", "--quiet");
    expect(await world.scene.loop("doctor")).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /✗ Workspace +Sessions cannot work in \S+: its work tree is the home folder\.\n +→ Set routing\.workspace\.root/,
      ),
    });
    at(world.scene.cwd);
    expect(await world.scene.loop("doctor")).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /✗ Workspace +Sessions cannot work in \S+: it is not inside a git work tree\./,
      ),
    });
    git(world.scene.cwd, "init", "--quiet");
    git(world.scene.cwd, "commit", "--quiet", "--allow-empty", "--message", "Begin");
    expect(await world.scene.loop("doctor")).toMatchObject({
      code: 0,
      out: expect.stringContaining(`all sessions share ${world.scene.cwd}`),
    });
  });
});

function git(cwd: string, ...args: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@practice.invalid", ...args], {
    cwd,
    stdio: "ignore",
  });
}

describe("loop doctor with a configuration that cannot be used", () => {
  test("each error is a line of its own, as `config validate` shows them", async () => {
    const scene = createScene("service: { port: many, hots: x }\npolling: { enabled: maybe }\n");
    const { out, code } = await scene.loop("doctor");
    const validated = (await scene.loop("config", "validate")).err
      .split("\n")
      .filter((line) => line.startsWith("  "));
    expect(validated).toHaveLength(3);
    expect({ out, code }).toMatchObject({
      code: 1,
      out: expect.stringMatching(/✗ Configuration +\S+ cannot be used\n/),
    });
    expect(out.split("\n").filter((line) => validated.includes(line.slice(2)))).toHaveLength(3);
    expect((await scene.loop("doctor", "--json")).json()).toMatchObject({
      findings: expect.arrayContaining([
        expect.objectContaining({
          part: "configuration",
          details: validated.map((line) => line.trim()),
        }),
      ]),
    });
  });

  test("a state root that is a file is a defect with what to do, and all else is looked at all the same", async () => {
    const world = await createWorld();
    world.scene.configure(
      world.scene.text().replace("state: { root: state }", "state: { root: cli-config.yaml }"),
    );
    const { out, err, code } = await world.scene.loop("doctor");
    expect({ err, code }).toEqual({ err: "", code: 1 });
    expect(out).toMatch(
      /✗ State root +.*\/cli-config\.yaml cannot be used: it is no folder\n +→ set state\.root to a folder of your own/,
    );
    expect(out).toMatch(/! Claude Code +not checked: /);
    expect(out).toMatch(/✓ Workspace/);
    expect(`${out}${err}`).not.toContain("LOOP_E_BUG");
  });
});

describe("the sandbox of agents", () => {
  const withSandbox = (world: Awaited<ReturnType<typeof createWorld>>, keys: string): void =>
    world.scene.configure(
      world.scene.text().replace("harnesses: { A: {", `harnesses: { A: { ${keys},`),
    );

  test("off is a warning that says why and what to type, in doctor and status alike", async () => {
    const world = await createWorld();
    withSandbox(world, "sandbox: off");
    expect(await world.scene.loop("doctor")).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /! Sandbox +off: harnesses\.A\.sandbox is off\n +Agents can read and change everything this account can\n +→ Set harnesses\.A\.sandbox: auto\n/,
      ),
    });
    expect((await world.scene.loop("status")).out).toMatch(
      /Sandbox +off: harnesses\.A\.sandbox is off\n/,
    );
  });

  test("required is a defect where something is in the way, with what to do", async () => {
    const world = await createWorld();
    withSandbox(world, "sandbox: required");
    world.scene.env["PATH"] = ""; // Neither bwrap nor socat, whatever this machine has; as root that is said first.
    expect((await world.scene.loop("doctor")).out).toMatch(
      /✗ Sandbox +(?:the service runs as root, where the sandbox protects nothing|bwrap and socat aren't installed): turns are on hold\n +→ (?:run loop as a user of its own|install bubblewrap and socat)\n/,
    );
    expect((await world.scene.loop("status", "--json")).json()).toMatchObject({
      sandbox: expect.stringMatching(/^turns are on hold: /),
    });
  });

  test("--settings among the arguments is an error of the configuration, with what to do", async () => {
    const world = await createWorld();
    withSandbox(world, 'args: ["--settings", "mine.json"]');
    expect(await world.scene.loop("config", "validate")).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /harnesses\.A\.args: holds --settings, which would replace the settings of loop's sandbox; put these settings into Claude Code's own settings\.json/,
      ),
    });
  });
});
