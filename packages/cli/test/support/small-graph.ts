import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Service, type World } from "./world.ts";

/**
 * A node of a graph of a test, at which a scripted agent writes and commits one file; `more` are
 * lines of its definition.
 */
export type SmallNode = {
  readonly id: string;
  readonly more?: readonly string[];
  readonly says?: string;
  readonly produces?: false;
  /** Directives in place of the scripted agent. */ readonly scripted?: string;
};

/** Writes `graphs.yaml` beside the configuration: these nodes one after the other, and the end. */
export function writeGraph(
  { scene }: World,
  nodes: readonly SmallNode[],
  edges: readonly string[] = [],
): void {
  const agent = join(scene.dir, "agent.mjs");
  writeFileSync(
    agent,
    `import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync } from "node:fs";
const folder = "docs/specs/" + process.env.LOOP_WORK_ITEM.slice("host:".length).replace(/[/#]/g, "+");
mkdirSync(folder, { recursive: true });
appendFileSync(folder + "/" + process.argv[2] + ".md", "worked\\n");
execFileSync("git", ["add", "-A"]);
execFileSync("git", ["commit", "-qm", "Work at " + process.argv[2]]);
`,
  );
  const node = ({
    id,
    more = [],
    says = "",
    produces,
    scripted = `{{stub:bash node ${agent} ${id}}}`,
  }: SmallNode): readonly string[] => [
    `      - id: ${id}`,
    "        task: >-",
    `          ${scripted} ${says} {{stub:text worked}}`,
    ...(produces === false ? [] : ["        produces:", `          - file: ${id}.md`]),
    ...more.map((line) => `        ${line}`),
  ];
  const ways = nodes.map(({ id }, at) => `      - [${id}, ${nodes[at + 1]?.id ?? "end"}]`);
  const text = [
    "version: 1",
    "graphs:",
    "  work-item:",
    "    nodes:",
    ...nodes.flatMap(node),
    "      - id: end",
    "        terminal: true",
    "    edges:",
    ...ways,
    ...edges.map((edge) => `      - ${edge}`),
    "",
  ].join("\n");
  writeFileSync(join(scene.dir, "graphs.yaml"), text);
}

/**
 * Writes a program beside the configuration; resolves to its path, for a place of the configuration
 * that names it.
 */
export function writeProgram({ scene }: World, name: string, script: string): string {
  const file = join(scene.dir, name);
  writeFileSync(file, script);
  scene.configure(readFileSync(scene.configFile, "utf8").replaceAll(name, file));
  return file;
}

/** What the graph's judges came to, in order. */
export async function judged(service: Service): Promise<
  readonly {
    readonly node: unknown;
    readonly what: unknown;
    readonly reason: string | null;
    readonly detail: unknown;
  }[]
> {
  return (await service.events("graph.judged")).map(({ reason, fields }) => ({
    node: fields["node"],
    what: fields["what"],
    reason,
    detail: fields["detail"],
  }));
}

/** Nodes at which the work was, in order. */
export async function walked(service: Service): Promise<readonly unknown[]> {
  return (await service.events("graph.moved")).map(({ fields }) => fields["node"]);
}

/** Everything that the service said and did, for a failure. */
export function dump(service: Service): () => Promise<string> {
  return async () =>
    [...service.said, ...(await service.events()).map((event) => JSON.stringify(event))].join("\n");
}
