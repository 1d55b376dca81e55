import { Ajv2020, type AnySchema } from "ajv/dist/2020.js";
import { comparable } from "@loopwork/core";
import { bundledGraphs, parseGraphs } from "@loopwork/core/config";
import { filledHeadings } from "@loopwork/core/ports";
import { describe, expect, test } from "vitest";
import { commandLinesOf, faultOfLine, knownCommands } from "../src/commands.ts";
import * as rules from "../src/harness-b.ts";
import { filesOf, textOf } from "../src/repository.ts";
import { pageOf } from "../src/skill.ts";

const plugin = "plugins/loop";
const commands = filesOf(`${plugin}/commands/*.md`);
const templates = filesOf(`${plugin}/templates/*.md`);
const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf("/") + 1).replace(/\.mdc?$/, "");

test("there is a command for each part of the work", () => {
  expect(commands.map(nameOf)).toEqual([
    "contribute",
    "design",
    "execute",
    "finish",
    "init",
    "learn",
    "requirements",
    "review",
    "status",
    "tasks",
    "test-plan",
    "verify",
    "work-on",
  ]);
});

test("there is a template for each artifact", () => {
  expect(templates.map(nameOf)).toEqual([
    "bugfix",
    "decision",
    "design",
    "execution-log",
    "intake",
    "learning",
    "pr-briefing",
    "requirements",
    "review",
    "tasks",
    "test-plan",
    "verification",
  ]);
});

describe("the graphs that everybody has", () => {
  const parsed = parseGraphs(bundledGraphs);
  const rules = parsed.ok
    ? [...parsed.graphs.values()].flatMap(({ name, nodes }) =>
        nodes.flatMap(({ id, produces }) =>
          produces.map((rule) => ({ ...rule, at: `${id} of ${name}` })),
        ),
      )
    : [];

  test("are there, so that this is looked at", () => expect(rules.length).toBeGreaterThan(8));

  test.each(rules)(
    "$file, which the node $at asks for, has a template with exactly the headings that are asked for",
    ({ file, headings }) => {
      const text = textOf(`${plugin}/templates/${file}`);
      expect(text, "a template of that name").not.toBeNull();
      expect([...(text ?? "").matchAll(/^#{2,6} (.+)$/gm)].map(([, heading]) => heading)).toEqual(
        headings,
      );
      // As it is, it is no artifact: each of its headings has still to be filled.
      const filled = filledHeadings(text ?? "");
      expect(headings.filter((heading) => filled.has(comparable(heading)))).toEqual([]);
    },
  );
});

test.each(commands)("%s says what it does, and uses only skills that there are", (path) => {
  const page = pageOf(textOf(path) ?? "");
  expect(
    [...(page?.keys.keys() ?? [])].filter(
      (key) => key !== "description" && key !== "argument-hint",
    ),
  ).toEqual([]);
  expect(page?.keys.get("description")).toMatch(/^.{10,200}$/);
  expect(page?.body.includes("$ARGUMENTS")).toBe(page?.keys.has("argument-hint"));
  const used = [...(page?.body ?? "").matchAll(/`(loop-[a-z-]{1,40})`/g)].map(([, name]) => name);
  for (const name of used) expect(textOf(`${plugin}/skills/${name}/SKILL.md`), name).not.toBeNull();
  expect(path.endsWith("/status.md") || used.length > 0, "names a skill").toBe(true);
});

test.each([...filesOf(`${plugin}/{skills,commands,templates,rules}/**/*.{md,mdc}`)])(
  "%s names only commands and options that there are",
  (path) => {
    expect(
      commandLinesOf(textOf(path) ?? "").flatMap(
        (line) => faultOfLine(line, knownCommands(), new Set(["start", "test"])) ?? [],
      ),
    ).toEqual([]);
  },
);

test.each(templates)("%s asks under each heading and answers nothing", (path) => {
  const sections = (textOf(path) ?? "").split(/^## /m).slice(1);
  expect(sections.length).toBeGreaterThan(1);
  for (const section of sections)
    expect(
      section
        .replace(/^.*\n/, "")
        .replaceAll(/<!--[^]*?-->/g, "")
        .trim(),
      section,
    ).toBe("");
});

describe("manifests", () => {
  const json = (path: string): Readonly<Record<string, unknown>> =>
    JSON.parse(textOf(path) ?? "null");
  const [ofA, ofB] = [
    json(`${plugin}/.claude-plugin/plugin.json`),
    json(`${plugin}/.cursor-plugin/plugin.json`),
  ];

  test("both harnesses install the same plugin, at the version of the command line", () => {
    for (const key of ["name", "version", "description", "license"])
      expect(ofB[key], key).toEqual(ofA[key]);
    expect(ofA["version"]).toBe(json("packages/cli/package.json")["version"]);
  });

  test("both marketplaces lead to it from the root of the repository", () => {
    const [a, b] = [
      json(".claude-plugin/marketplace.json"),
      json(".cursor-plugin/marketplace.json"),
    ];
    expect(b).toEqual(a);
    expect(a["plugins"]).toEqual([
      { name: ofA["name"], source: "./plugins/loop", description: expect.any(String) },
    ]);
  });

  test("the paths of harness B's manifest lead to what is there", () => {
    for (const key of ["commands", "skills", "rules"])
      expect(filesOf(`${plugin}/${String(ofB[key])}**/*.{md,mdc}`).length, key).toBeGreaterThan(0);
    expect(textOf(`${plugin}/${String(ofB["hooks"])}`)).not.toBeNull();
  });
});

describe("harness B's own rules", { timeout: 60_000 }, () => {
  const faults = (schema: AnySchema, value: unknown): readonly unknown[] => {
    const check = new Ajv2020({
      allErrors: true,
      strict: true,
      strictRequired: false,
      allowUnionTypes: true,
    }).compile(schema);
    return check(value) ? [] : (check.errors ?? []);
  };
  const read = (path: string): unknown => JSON.parse(textOf(path) ?? "null");
  const front = Object.fromEntries(pageOf(textOf(`${plugin}/rules/loop.mdc`) ?? "")?.keys ?? []);

  test.each<[string, AnySchema, unknown]>([
    ["the manifest", rules.pluginManifest, read(`${plugin}/.cursor-plugin/plugin.json`)],
    ["the marketplace", rules.marketplace, read(".cursor-plugin/marketplace.json")],
    ["the hooks file", rules.hooksFile, read(`${plugin}/hooks/harness-b.json`)],
    ["the rule's front matter", rules.rule, front],
  ])("%s keeps them", (_, schema, value) => expect(faults(schema, value)).toEqual([]));

  test("the rule is applied always", () => expect(front["alwaysApply"]).toBe(true));

  test.each<[string, AnySchema, unknown]>([
    [
      "an address of the author, as the other harness has it",
      rules.pluginManifest,
      { name: "x", author: { name: "y", url: "https://example.org" } },
    ],
    ["a name with a blank", rules.pluginManifest, { name: "x y" }],
    ["a manifest without a name", rules.pluginManifest, { version: "1.0.0" }],
    [
      "a version in a marketplace",
      rules.marketplace,
      {
        name: "x",
        owner: { name: "y" },
        plugins: [{ name: "z", source: "./z", version: "1.0.0" }],
      },
    ],
    [
      "an event of the other harness",
      rules.hooksFile,
      { version: 1, hooks: { Stop: [{ command: "x" }] } },
    ],
    ["hooks without a version", rules.hooksFile, { hooks: {} }],
    ["a hook without a command", rules.hooksFile, { version: 1, hooks: { stop: [{}] } }],
  ])("the rules can fail: %s", (_, schema, value) => expect(faults(schema, value)).not.toEqual([]));
});

test("every hook of both harnesses is the one script, within five seconds, with an event that it knows", () => {
  const script = textOf(`${plugin}/hooks/loop-hook.sh`) ?? "";
  const ofA = [
    ...(textOf(`${plugin}/hooks/hooks.json`) ?? "").matchAll(
      /"command": "(\S*sh .*?[^\\])", "timeout": (\d+)/g,
    ),
  ];
  const ofB = [
    ...(textOf(`${plugin}/hooks/harness-b.json`) ?? "").matchAll(
      /"command": "(\S*sh .*?[^\\])",\s+"timeout": (\d+)/g,
    ),
  ];
  expect([ofA.length, ofB.length]).toEqual([8, 3]);
  for (const [, command = "", timeout] of [...ofA, ...ofB]) {
    expect(command).toMatch(
      /^\/bin\/sh \\"\$\{C(LAUDE|URSOR)_PLUGIN_ROOT\}\\"\/hooks\/loop-hook\.sh [a-z-]+$/,
    );
    expect(timeout).toBe("5");
  }
  expect(script.trimEnd().endsWith("exit 0")).toBe(true);
});

describe("the harness config of a repository", { timeout: 60_000 }, () => {
  const schema: unknown = JSON.parse(textOf(`${plugin}/harness-config.schema.json`) ?? "null");
  const compile = (): ((value: unknown) => boolean) =>
    new Ajv2020({ strict: true, strictTypes: false, useDefaults: true }).compile(Object(schema));

  test("left empty it is the defaults, and the page for guests tells the same", () => {
    const filled = {};
    expect(compile()(filled)).toBe(true);
    const page = textOf(`${plugin}/skills/loop-operating-model/references/guest.md`) ?? "";
    const told = new Map(
      [...page.matchAll(/^ *\| (`.+?`) \| (.+?) \|$/gm)].flatMap(([, keys = "", value = ""]) =>
        [...keys.matchAll(/`([^`]+)`/g)].map(([, key = ""]) => [key, value] as const),
      ),
    );
    const leaves = leavesOf(filled);
    expect([...told.keys()].toSorted()).toEqual([...leaves.keys()].toSorted());
    for (const [key, value] of leaves) expect(told.get(key), key).toMatch(tells(value));
  });

  test("a guest is told to read the harness config or take the defaults, and to say which in the briefing", () => {
    const page = textOf(`${plugin}/skills/loop-operating-model/references/guest.md`) ?? "";
    const choices = [
      "`Configuration: .loop/harness-config.yaml of this repository`",
      "`Configuration: loop's defaults; this repository has none`",
    ];
    for (const choice of choices) expect(page).toContain(choice);
    expect(textOf(`${plugin}/templates/pr-briefing.md`)).toMatch(/^## Configuration$/m);
    expect(textOf(`${plugin}/skills/loop-operating-model/SKILL.md`)).toContain(
      "references/guest.md",
    );
  });

  test.each([
    { specdir: "x" },
    { specDir: "/etc" },
    { specDir: "a/../../b" },
    { branch: "work" },
    { review: { rounds: 0 } },
    { commands: { test: ["npm"] } },
    { version: 2 },
  ])("%j is refused", (value) => {
    expect(compile()(value)).toBe(false);
  });
  test("a whole one is taken", () => {
    expect(
      compile()({
        version: 1,
        specDir: "specs",
        branch: "work/issue-{number}",
        language: "de",
        commands: { test: "make test" },
        review: { critics: ["security"], rounds: 1 },
        protected: ["db/**"],
      }),
    ).toBe(true);
  });
});

function leavesOf(value: object, prefix = ""): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(value).flatMap(([key, each]: [string, unknown]) =>
      typeof each === "object" && each !== null && !Array.isArray(each)
        ? [...leavesOf(each, `${prefix}${key}.`)]
        : [[`${prefix}${key}`, each] as const],
    ),
  );
}

function tells(value: unknown): RegExp {
  const shown = Array.isArray(value)
    ? value.map((each) => `\`${String(each)}\``).join(", ")
    : value === ""
      ? ""
      : `\`${String(value)}\``;
  return shown === "" ? /^empty/ : new RegExp(`^${shown.replaceAll(/[{}.]/g, String.raw`\$&`)}$`);
}
