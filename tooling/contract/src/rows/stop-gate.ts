import { holds, type Row, row, same } from "../row.ts";
import type { Scene } from "../scene.ts";
import { conversations, inWorld, type Service, until, type World } from "../service/world.ts";

/** One node to work at and an end, so that a row is about the gate and not about a way. */
const graph = `version: 1
graphs:
  work-item:
    nodes:
      - id: notes
        task: Write down what you found.
        produces: [{ file: notes.md, headings: [Found] }]
      - { id: complete, terminal: true }
    edges:
      - [notes, complete]
`;
const folder = "docs/specs/practice+garden+1";
const lacking = "notes.md does not exist";

/**
 * The Stop gate in whole turns of the service: it asks the process graph what stands in the
 * checkout.
 */
export const stopGateRows: readonly Row[] = [
  row(
    "HA-hook-04",
    "the Stop gate keeps a session whose node is unfinished, says what is missing, and lets it go once that is there",
    (scene) =>
      inGraph(scene, async (world, service) => {
        world.startIssue(
          `{{stub:text Nothing to be done.}} {{stub:bash node ${writer(scene)}}} {{stub:text Written down.}}`,
        );
        await service.event("turn.done");
        same("kept", keptWith(scene), [lacking]);
        asked(scene, lacking);
        await service.event("graph.moved", 2);
        same(
          "the way",
          service.events("graph.moved").map(({ fields }) => fields["node"]),
          ["notes", "complete"],
        );
        same("what waits for a person", service.events("graph.waits"), []);
        same("reminders of the driver", service.events("turn.retried"), []);
      }),
  ),
  row(
    "HA-hook-05",
    "a session that never finishes its node is kept five times and then let go: the thread, status and why say so, and a word of a person lets it go on",
    (scene) =>
      inGraph(scene, async (world, service) => {
        const number = world.startIssue("{{stub:text Nothing to be done.}}");
        const done = await service.event("turn.done");
        same(
          "kept",
          keptWith(scene),
          Array.from({ length: 5 }, () => lacking),
        );
        holds("the turn's own line", done.reason?.includes(lacking) === true, done);
        await service.event("graph.waits");
        const told = `The session ended its turn 6 times while its work was not complete: \`${lacking}\`.`;
        await until("the notice on the thread", () =>
          Promise.resolve(
            world.host.issue(number).comments.some(({ body }) => body.includes(told)),
          ),
        );
        same(
          "status",
          (await waiting(service)).map(({ reason, detail }) => [reason, detail]),
          [["unfinished", lacking]],
        );
        const why = await service.loop("why", world.ref(number));
        holds(
          "why",
          why.includes("its session ended its turn while the node notes was unfinished") &&
            why.includes(lacking),
          why,
        );
        world.host.comment(
          number,
          `{{stub:bash node ${writer(scene)}}} {{stub:text Written down.}}`,
          "ada",
        );
        await service.event("graph.moved", 2);
        same("status afterwards", await waiting(service), []);
      }),
  ),
  row(
    "HA-hook-06",
    "a session that asks a person is let go at once, however unfinished its node is",
    (scene) =>
      inGraph(scene, async (world, service) => {
        world.startIssue("{{stub:bash loop ask 'Which tap?'}} {{stub:text I asked.}}");
        await service.event("session.asked");
        await service.event("turn.done");
        same("kept", keptWith(scene), []);
        same("what waits for a person", service.events("graph.waits"), []);
      }),
  ),
];

function inGraph(
  scene: Scene,
  tell: (world: World, service: Service) => Promise<void>,
): Promise<void> {
  scene.write("graphs.yaml", graph);
  const choose = (world: World): Promise<unknown> =>
    world.host.commit({
      branch: "main",
      message: "Choose loop",
      files: { ".loop/harness-config.yaml": "version: 1\n" },
    });
  return inWorld(scene, (world, service) => choose(world).then(() => tell(world, service)), [
    "graph: { specDir: docs/specs, definition: graphs.yaml }",
  ]);
}

/** A program that writes the artifact; sessions may run `node`. */
function writer(scene: Scene): string {
  return scene.write(
    "write-notes.mjs",
    `import { mkdirSync, writeFileSync } from "node:fs";\nmkdirSync("${folder}", { recursive: true });\nwriteFileSync("${folder}/notes.md", "# Found\\n\\nA tap.\\n");\n`,
  );
}

/** What sessions were kept with, each time, as their transcripts have it. */
function keptWith(scene: Scene): readonly string[] {
  const messages = conversations(scene).flatMap((id) =>
    scene
      .transcript(id)
      .filter(({ type }) => type === "user")
      .map((line) => JSON.stringify(Object(line["message"])["content"] ?? "")),
  );
  return messages.flatMap(
    (text) =>
      /Stop hook feedback:\\nThe work is not complete\. .*?begins\]\\n\[\\"(.*?)\\"\]\\n\[data /.exec(
        text,
      )?.[1] ?? [],
  );
}

/** The real program's requests are seen on the model's side; the fixture plays the model itself. */
function asked(scene: Scene, words: string): void {
  const requests = scene.requests();
  if (requests !== null)
    holds(
      "the model was told",
      requests.some(({ messages }) => JSON.stringify(messages).includes(words)),
      requests.at(-1)?.messages,
    );
}

async function waiting(
  service: Service,
): Promise<readonly { readonly reason: string; readonly detail: string }[]> {
  const {
    waiting: listed,
  }: { readonly waiting: readonly { readonly reason: string; readonly detail: string }[] } =
    JSON.parse(await service.loop("status", "--json"));
  return listed;
}
