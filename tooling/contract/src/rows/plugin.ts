import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { holds, type Row, row, same } from "../row.ts";
import type { Scene } from "../scene.ts";
import { textOf } from "../seen.ts";

const repository = fileURLToPath(new URL("../../../../", import.meta.url));

/**
 * Our plugin in harness A: what it sees of it, and how it comes there from the repository's own
 * marketplace.
 */
export const pluginRows: readonly Row[] = [
  row(
    "HA-plugin-01",
    "the harness's own strict validation accepts our plugin, and not a broken one",
    async (scene) => {
      const { code, answer } = await json(
        scene,
        "plugin",
        "validate",
        "--strict",
        "--json",
        scene.pluginDir,
      );
      same("exit code", code, 0);
      same("success", answer["success"], true);
      const broken = scene.write("broken/.claude-plugin/plugin.json", '{"version": 1}');
      same(
        "exit code of a broken one",
        (await scene.call(["plugin", "validate", "--strict", path.dirname(path.dirname(broken))]))
          .end.code,
        1,
      );
    },
  ),
  row(
    "HA-plugin-02",
    "it lists exactly the hooks, skills and commands that are in the tree",
    async (scene) => {
      const { answer } = await json(
        scene,
        "plugin",
        "validate",
        "--strict",
        "--json",
        scene.pluginDir,
      );
      const provides: Readonly<Record<string, unknown>> = Object(answer["provides"]);
      same("hooks", provides["hooks"], hooksInTree(scene.pluginDir));
      same(
        "skills",
        provides["skills"],
        inTree(scene.pluginDir, "skills").map((name) => `loop:${name}`),
      );
      same(
        "commands",
        provides["commands"],
        inTree(scene.pluginDir, "commands").map((name) => `loop:${name.replace(/\.md$/, "")}`),
      );
      holds(
        "there are some of each",
        ["hooks", "skills", "commands"].every(
          (kind) => Array.isArray(provides[kind]) && provides[kind].length > 5,
        ),
        provides,
      );
    },
  ),
  row(
    "HA-plugin-03",
    "it is installed from the repository's marketplace by a local path, and its hooks fire in the next turn",
    async (scene) => {
      same(
        "a marketplace that is none",
        (await scene.call(["plugin", "marketplace", "add", scene.workdir])).end.code,
        1,
      );
      const added = await scene.call(["plugin", "marketplace", "add", repository]);
      same(`marketplace add (${added.stderr})`, added.end.code, 0);
      same(
        "a plugin that is none",
        (await scene.call(["plugin", "install", "nothing@loopwork"])).end.code,
        1,
      );
      same("ledger before the installation", await speak(scene), "");
      const installed = await scene.call(["plugin", "install", "loop@loopwork"]);
      same(`install (${installed.stderr})`, installed.end.code, 0);
      const listed = await scene.call(["plugin", "list", "--json"]);
      holds(
        "is listed as enabled",
        /"id": "loop@loopwork"[^}]*"enabled": true/.test(listed.stdout),
        listed.stdout,
      );
      const after = await speak(scene);
      holds("ledger after it", after.includes('"tool":"Bash"'), after);
    },
  ),
];

/** A turn without `--plugin-dir`; answers with the ledger that our pre-tool hook keeps. */
async function speak(scene: Scene): Promise<string> {
  const args = [
    "-p",
    "{{stub:bash echo hi}}",
    "--session-id",
    randomUUID(),
    "--allowedTools",
    "Bash(echo *)",
  ];
  const { end, stderr } = await scene.call(args, "", {
    LOOP_TURN_DIR: scene.turnDir,
    LOOP_RECEIPT: randomUUID(),
  });
  same(`exit code of a turn (${stderr})`, end.code, 0);
  return textOf(path.join(scene.turnDir, "tools.jsonl"));
}

async function json(
  scene: Scene,
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly answer: Readonly<Record<string, unknown>> }> {
  const { end, stdout } = await scene.call(args);
  return { code: end.code, answer: JSON.parse(stdout) };
}

type HookEntry = {
  readonly matcher?: string;
  readonly hooks: readonly { readonly type: string; readonly command: string }[];
};

function hooksInTree(dir: string): readonly unknown[] {
  const { hooks }: { readonly hooks: Readonly<Record<string, readonly HookEntry[]>> } = JSON.parse(
    textOf(path.join(dir, "hooks/hooks.json")),
  );
  return Object.entries(hooks).flatMap(([event, entries]) =>
    entries.flatMap(({ matcher, hooks: each }) =>
      each.map(({ type, command }) => ({
        event,
        ...(matcher === undefined ? {} : { matcher }),
        type,
        command,
      })),
    ),
  );
}

function inTree(dir: string, folder: string): readonly string[] {
  return existsSync(path.join(dir, folder)) ? readdirSync(path.join(dir, folder)).toSorted() : [];
}
