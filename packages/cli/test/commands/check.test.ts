import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundledGraphs, parseGraphs } from "@loopwork/core/config";
import { describe, expect, test } from "vitest";
import { choose } from "../support/choose-loop.ts";
import { createScene, type Scene } from "../support/scene.ts";

const ref = "host:octo/shop#7";
const inGraph = "state: { root: state }\nrouting: { graph: { specDir: docs/specs } }\n";

/**
 * A scene whose working directory is a checkout with one commit, of a repository that chose loop.
 */
function checkout(
  config: string,
): Scene & { write(file: string, text: string): void; remove(file: string): void } {
  const scene = createScene(config);
  const git = (...args: readonly string[]): void =>
    void execFileSync(
      "git",
      ["-c", "user.name=ada", "-c", "user.email=ada@loop.invalid", ...args],
      { cwd: scene.cwd, stdio: "ignore" },
    );
  git("init", "-q");
  choose(scene.cwd);
  const folder = join(scene.cwd, "docs/specs/octo+shop+7");
  return Object.assign(scene, {
    write(file: string, text: string) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, file), text);
    },
    remove: (file: string) => rmSync(join(folder, file)),
  });
}

/** Every artifact that the bundled graph asks for, as somebody filled it. */
function artifacts(): readonly (readonly [file: string, text: string])[] {
  const parsed = parseGraphs(bundledGraphs);
  const nodes = parsed.ok ? (parsed.graphs.get("work-item")?.nodes ?? []) : [];
  return nodes.flatMap(({ produces }) =>
    produces.map(
      ({ file, headings }) =>
        [file, headings.map((heading) => `## ${heading}\n\nSaid.\n`).join("\n")] as const,
    ),
  );
}

describe("loop check", () => {
  test("answers 0 where no process graph is configured: nothing can be missing", async () => {
    for (const scene of [createScene(), checkout("state: { root: state }\n")])
      expect(await scene.loop("check", ref)).toMatchObject({
        code: 0,
        out: expect.stringContaining("there is nothing to check"),
      });
  });

  test("answers 1 with what the present node lacks, recomputed from the artifacts each time", async () => {
    const scene = checkout(inGraph);
    const asked = async (): Promise<unknown> => {
      const { code, json } = await scene.loop("check", ref, "--json");
      const { position, answer, missing } = Object(json());
      return { code, position, answer, missing };
    };
    expect(await asked()).toEqual({
      code: 1,
      position: "intake",
      answer: "incomplete",
      missing: ["intake.md does not exist"],
    });
    const [[intake, text] = ["", ""]] = artifacts();
    scene.write(intake, text.replace("## For whom\n\nSaid.", "## For whom\n\n<!-- who? -->"));
    expect(await asked()).toEqual({
      code: 1,
      position: "intake",
      answer: "incomplete",
      missing: ['intake.md has no text under "For whom"'],
    });
    scene.write(intake, text);
    expect(await asked()).toMatchObject({ code: 1, position: "requirements" });
    scene.remove(intake);
    expect(await asked()).toMatchObject({ code: 1, position: "intake" });
  });

  test("answers 0 where a person must speak first, whatever the artifacts claim of an approval", async () => {
    const scene = checkout(inGraph);
    for (const [file, text] of artifacts())
      scene.write(file, `---\napproved: true\nstatus: complete\n---\n\n${text}`);
    const { code, json } = await scene.loop("check", ref, "--json");
    expect([code, json()]).toMatchObject([
      0,
      {
        position: "human-approval",
        answer: "waiting",
        missing: ["human-approval waits for the approval of an authorized user"],
      },
    ]);
  });

  test("--all shows every node with what it lacks", async () => {
    const { code, json } = await checkout(inGraph).loop("check", ref, "--all", "--json");
    const { nodes, complete } = Object(json());
    expect([code, complete, nodes.length]).toEqual([1, false, 10]);
    expect(nodes[1]).toEqual({
      node: "requirements",
      state: "incomplete",
      lacks: [{ owes: "session", kind: "artifact", text: "requirements.md does not exist" }],
    });
  });

  test("reads no artifact through a link, be it the file or a folder on the way to it", async () => {
    const scene = checkout(inGraph);
    const [[file, text] = ["", ""]] = artifacts();
    scene.write(file, text);
    expect(await scene.loop("check", ref)).toMatchObject({
      out: expect.stringContaining("requirements.md does not exist"),
    });
    const [specs, elsewhere] = [join(scene.cwd, "docs/specs"), join(scene.dir, "elsewhere")];
    renameSync(specs, elsewhere);
    symlinkSync(elsewhere, specs);
    expect(await scene.loop("check", ref)).toMatchObject({
      code: 1,
      out: expect.stringContaining("intake.md does not exist"),
    });
    rmSync(specs);
    scene.write("other.md", text);
    symlinkSync(join(elsewhere, "octo+shop+7", file), join(specs, "octo+shop+7", file));
    expect(await scene.loop("check", ref)).toMatchObject({
      code: 1,
      out: expect.stringContaining("intake.md does not exist"),
    });
  });

  test("answers 2 where nobody can tell: no checkout, a graph that cannot be used, a configuration that cannot be read", async () => {
    const broken = checkout(
      `${inGraph.replace("specDir: docs/specs", "specDir: docs/specs, definition: graphs.yaml")}`,
    );
    writeFileSync(
      join(broken.configFile, "..", "graphs.yaml"),
      "version: 1\ngraphs: { work-item: { nodes: [{ id: a }], edges: [] } }\n",
    );
    expect(await broken.loop("check", ref)).toMatchObject({
      code: 2,
      out: expect.stringContaining("no node is terminal"),
    });
    expect(await createScene(inGraph).loop("check", ref)).toMatchObject({
      code: 2,
      err: expect.stringContaining("has no checkout here"),
    });
    expect(await checkout("routing: [\n").loop("check", ref)).toMatchObject({ code: 2 });
  });
});
