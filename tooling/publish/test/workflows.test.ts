import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

type Step = {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
};
type Job = {
  readonly container?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly if?: string;
  readonly needs?: string;
  readonly "timeout-minutes"?: number;
};
type Workflow = {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
};

const root = fileURLToPath(new URL("../../..", import.meta.url));
const textOf = (path: string): string => readFileSync(`${root}/${path}`, "utf8");
const paths = globSync(".github/workflows/*.yml", { cwd: root }).toSorted();

const lowest = String(JSON.parse(textOf("packages/cli/package.json")).engines.node).replace(
  ">=",
  "",
);
const scripts = Object.keys(JSON.parse(textOf("package.json")).scripts);

/** What is wrong with a workflow, each in a sentence. */
function faultsOf(text: string): readonly string[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a file of this repository; what is missing fails below
  const { permissions, jobs } = parse(text, { strict: true, uniqueKeys: true }) as Workflow;
  const wide = Object.entries(permissions ?? { all: "write" })
    .filter(([, right]) => right !== "read")
    .map(([name]) => `every job may write ${name}`);
  const loose = [...text.matchAll(/uses: (\S+)(.*)$/gm)]
    .filter(
      ([, what = "", after = ""]) =>
        !/@[0-9a-f]{40}$/.test(what) || !/^ # v\d+\.\d+\.\d+$/.test(after),
    )
    .map(([, what]) => `${what} is not pinned by its commit with its version beside it`);
  const images = [...text.matchAll(/\bnode(?:-version)?: ?v?(\d[\w.]*)/g)]
    .filter(([, version]) => version !== lowest)
    .map(([, version]) => `Node ${version} is not the lowest of engines, ${lowest}`);
  const ofJobs = Object.entries(jobs).flatMap(([name, job]) => faultsOfJob(name, job));
  return [...wide, ...loose, ...images, ...ofJobs];
}

function faultsOfJob(
  name: string,
  { steps, permissions, "timeout-minutes": minutes }: Job,
): readonly string[] {
  const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
  const unknown = commands
    .flatMap((command) =>
      [...command.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, script = ""]) => script),
    )
    .filter((script) => !scripts.includes(script))
    .map((script) => `there is no script ${script}`);
  const injected = commands
    .filter((command) => command.includes("${{"))
    .map((command) => `words of an event reach a shell: ${command}`);
  const kept = steps
    .filter(
      ({ uses, with: given }) =>
        uses?.startsWith("actions/checkout@") === true && given?.["persist-credentials"] !== false,
    )
    .map(() => `${name} keeps the token in the checkout`);
  const identity =
    permissions?.["id-token"] === "write" &&
    Object.entries(permissions).some(([right, how]) => right !== "id-token" && how === "write")
      ? [`${name} may sign and write`]
      : [];
  return [
    ...unknown,
    ...injected,
    ...kept,
    ...identity,
    ...(minutes === undefined ? [`${name} has no time limit`] : []),
  ];
}

/** The commands of a job, without what it runs beside. */
function commandsOf(path: string, job: string): readonly string[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  return ((parse(textOf(path)) as Workflow).jobs[job]?.steps ?? []).flatMap(({ run }) =>
    run === undefined ? [] : [run],
  );
}

test.each(paths)("%s asks for no more than it needs, and names only what there is", (path) =>
  expect(faultsOf(textOf(path))).toEqual([]),
);

test("both runtimes run the same command, and nothing is released that did not pass it", () => {
  expect(paths).toEqual([".github/workflows/ci.yml", ".github/workflows/release.yml"]);
  expect(commandsOf(".github/workflows/ci.yml", "pinned")).toEqual([".ci/run"]);
  expect(commandsOf(".github/workflows/ci.yml", "lowest")).toEqual([
    'LOOP_CI_NODE="$(command -v node)" .ci/run',
  ]);
  expect(commandsOf(".github/workflows/release.yml", "publish")).toEqual([
    ".ci/run",
    "npm run test:publish",
    "node tooling/bootstrap/main.mjs run --conditions=@loopwork/source tooling/publish/src/release/main.ts",
  ]);
  const pinned = Object.values<string>(JSON.parse(textOf("package.json")).optionalDependencies);
  expect(new Set(pinned).size).toBe(1);
  expect(textOf("pnpm-workspace.yaml")).toContain(`nodeVersion: ${pinned[0]}`);
  for (const path of globSync("packages/*/package.json", { cwd: root }))
    expect(JSON.parse(textOf(path)).engines.node, path).toBe(`>=${lowest}`);
});

describe("the check can fail", () => {
  const ci = textOf(".github/workflows/ci.yml");
  test.each([
    ["contents: read", "contents: write", "every job may write contents"],
    [
      "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1",
      "actions/checkout@v7",
      "actions/checkout@v7 is not pinned by its commit with its version beside it",
    ],
    [
      "node:24.15.0-bookworm",
      "node:24.14.0-bookworm",
      "Node 24.14.0 is not the lowest of engines, 24.15.0",
    ],
    ["npm run test:publish", "npm run test:nothing", "there is no script test:nothing"],
    [
      "- run: .ci/run",
      "- run: echo ${{ github.head_ref }}",
      "words of an event reach a shell: echo ${{ github.head_ref }}",
    ],
    ["persist-credentials: false", "fetch-depth: 1", "pinned keeps the token in the checkout"],
    ["    timeout-minutes: 45\n", "", "packages has no time limit"],
  ])("%s → %s", (from, to, fault) => expect(faultsOf(ci.replace(from, to))).toEqual([fault]));
  test("a job that signs and writes, and a file that is no YAML", () => {
    expect(
      faultsOf(
        textOf(".github/workflows/release.yml").replace(
          "contents: read\n      id-token",
          "contents: write\n      id-token",
        ),
      ),
    ).toEqual(["publish may sign and write"]);
    expect(() => faultsOf(`${ci}\njobs: {}\n`)).toThrow("unique");
  });
});
