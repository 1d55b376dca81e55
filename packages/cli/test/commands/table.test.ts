import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Command } from "../../src/commands/command.ts";
import { commandTable } from "../../src/commands/table.ts";
import { createScene } from "../support/scene.ts";

const folder = new URL("../../src/commands/", import.meta.url);
/** Modules beside the commands that serve several of them. */
const shared = [
  "collaborator-command.ts",
  "command.ts",
  "effects/resolve-command.ts",
  "graph/steer-command.ts",
  "inside-turn.ts",
  "log-line.ts",
  "manifest/read-manifest.ts",
  "service/units.ts",
  "sessions/steer-command.ts",
  "table.ts",
  "turns/resolve-command.ts",
  "work-item-argument.ts",
];

test("a command lies where its words lead: each row has its module, each module its row", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !shared.includes(name),
  );
  const imported = [
    ...readFileSync(new URL("table.ts", folder), "utf8").matchAll(
      /import\("\.\/([a-z/-]{1,40}\.ts)"\)/g,
    ),
  ].map(([, file = ""]) => file);
  expect(imported).toEqual(commandTable.map(({ name }) => `${name.replace(" ", "/")}.ts`));
  expect(imported.toSorted()).toEqual(files.toSorted());
});

test("each module exports its command by default, one of its own, and loading it does nothing else", async () => {
  const commands = await Promise.all(commandTable.map(async ({ load }) => (await load()).default));
  expect(new Set(commands).size).toBe(commandTable.length);
  for (const command of commands) expect(new command()).toBeInstanceOf(Command);
});

test.each(commandTable.map(({ name }) => name))("%s --help says what it does", async (name) => {
  const { code, out } = await createScene().loop(...name.split(" "), "--help");
  expect(code).toBe(0);
  expect(out).toContain(`Usage: loop ${name}`);
  expect(out).toContain(
    commandTable
      .find((row) => row.name === name)
      ?.summary.split(" ")
      .slice(0, 3)
      .join(" "),
  );
});

test("every summary is one line that begins with a capital letter and fits beside its command", () => {
  for (const { name, summary, group } of commandTable)
    for (const text of [summary, ...(group === undefined ? [] : [group])])
      expect(text, name).toMatch(/^[A-Z][^;]{5,60}[^.;]$/);
});

test("without a command the help shows about twelve commands in sections", async () => {
  const { code, out } = await createScene().loop();
  expect(code).toBe(0);
  const sections = out.split("\n\n").filter((block) => /^(Get started|Run|Work):\n/.test(block));
  const names = sections.flatMap((block) =>
    [...block.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name),
  );
  expect(sections).toHaveLength(3);
  expect(names).toEqual(expect.arrayContaining(["init", "start", "status", "why", "sessions"]));
  expect(names.length).toBeGreaterThan(9);
  expect(names.length).toBeLessThan(15);
  expect(out).toContain("loop help all");
  expect(out).not.toMatch(/^ {2}(comment|hook|graph) /m);
});

test("`loop help all` lists every command once, and `loop help agent` those that agents call", async () => {
  const scene = createScene();
  const named = async (topic: string): Promise<readonly (string | undefined)[]> =>
    [...(await scene.loop("help", topic)).out.matchAll(/^ {2}([a-z-]+(?: [a-z-]+)?) {2}/gm)].map(
      ([, name]) => name,
    );
  const listed = commandTable.map(({ name }) => name).filter((name) => name !== "terminal-turn");
  const all = await named("all");
  expect(all).toHaveLength(listed.length);
  expect(new Set(all)).toEqual(new Set(listed));
  expect(await named("agent")).toEqual(
    expect.arrayContaining(["comment", "ask", "check", "critic run", "graph status", "hook"]),
  );
  expect(await named("agent")).not.toContain("start");
});

test("an unknown command is a usage error with a suggestion, also where the help leaves that out", async () => {
  const scene = createScene();
  const unknown = await scene.loop("statsu");
  expect(unknown).toMatchObject({ code: 2 });
  expect(unknown.err).toContain("Did you mean status?");
  expect((await scene.loop("replya")).err).toContain("Did you mean replay?");
});
