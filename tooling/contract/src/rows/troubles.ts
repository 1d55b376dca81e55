import { globSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { holds, type Row, row, same } from "../row.ts";
import type { Scene } from "../scene.ts";
import { signalGroup } from "../processes.ts";
import { conversations, inWorld, type Service, until, type World } from "../service/world.ts";

/**
 * What the service makes of a harness that cannot work, or has lost what it knew (issue: sessions
 * and checkouts).
 */
export const troubleRows: readonly Row[] = [
  row(
    "HA-service-02",
    "session lost: a conversation whose record is gone is followed by a new one, seeded from the work item",
    (scene) =>
      inWorld(scene, async (world, service) => {
        const number = world.startIssue("Every morning, please.");
        await service.event("turn.done");
        const [first] = conversations(scene);
        forget(scene, first);
        world.host.comment(number, "And in the evening.", "ada");
        holds(
          "said so",
          (await service.event("session.lost")).reason?.includes(
            "does not know the conversation",
          ) === true,
          service.events("session.lost"),
        );
        await service.event("turn.done", 2);
        const [second, ...others] = conversations(scene);
        same("one new conversation", [others.length, second === first], [0, false]);
        const [prompt = ""] = promptsOf(scene, second);
        holds(
          "it says what is lost",
          prompt.includes("The earlier conversation about this work item is lost"),
          prompt,
        );
        holds("it has the message", prompt.includes("And in the evening."), prompt);
      }),
  ),
  row(
    "HA-service-03",
    "cwd moved: a checkout that somebody moved away is made again, and the same conversation goes on there",
    (scene) =>
      inWorld(scene, async (world, service) => {
        const number = world.startIssue("{{stub:bash touch first.txt}}");
        await service.event("turn.done");
        const workdir = String((await service.event("checkout.prepared")).fields["workdir"]);
        renameSync(workdir, `${workdir}-moved`);
        world.host.comment(number, "Again. {{stub:bash touch second.txt}}", "ada");
        await service.event("turn.done", 2);
        same(
          "checkouts",
          service.events("checkout.prepared").map(({ fields }) => fields["workdir"]),
          [workdir, workdir],
        );
        same(
          "work of the second turn",
          globSync(`${workdir}*/*.txt`)
            .map((file) => path.relative(path.dirname(workdir), file))
            .toSorted(),
          [
            `${path.basename(workdir)}-moved/first.txt`,
            `${path.basename(workdir)}/second.txt`,
          ].toSorted(),
        );
        same(
          "conversations and their messages",
          conversations(scene).map((id) => promptsOf(scene, id).length),
          [2],
        );
      }),
  ),
  row(
    "HA-service-04",
    "transcript missing: a message whose conversation lost its record in a crash is sent once more, in a new one",
    (scene) =>
      inWorld(scene, async (world, service) => {
        const number = world.startIssue("Every morning, please.");
        await service.event("turn.done");
        const [first = ""] = conversations(scene);
        world.host.comment(number, "And in the evening. {{stub:hang 30000}}", "ada");
        await until("the second message", () =>
          Promise.resolve(promptsOf(scene, first).length === 2),
        );
        await service.end("SIGKILL");
        await endChild(service);
        forget(scene, first);
        await service.start();
        await service.event("session.lost");
        const ids = (): readonly string[] => conversations(scene).filter((id) => id !== first);
        await until("the new conversation", () => Promise.resolve(ids().length === 1));
        await until("the message", () =>
          Promise.resolve(
            ids().some((id) =>
              promptsOf(scene, id).some((prompt) => prompt.includes("And in the evening.")),
            ),
          ),
        );
        same(
          "messages of the new conversation",
          ids().map((id) => promptsOf(scene, id).length),
          [1],
        );
        await service.end("SIGKILL");
        await endChild(service);
      }),
  ),
  row(
    "HA-service-05",
    "login expired: every lane waits with one notice; a resume asks the harness before it is sent anything, and a new login opens them",
    (scene) =>
      inWorld(scene, async (world, service) => {
        world.harness("unset ANTHROPIC_API_KEY\n");
        const numbers = [world.startIssue("First."), world.startIssue("Second.")];
        await until(
          "two held lanes, and nothing that runs",
          async () => (await heldLanes(service)) === 2 && (await runningTurns(service)) === 0,
        );
        const holds = service.events("lane.held").length;
        await until("one notice", () => Promise.resolve(notices(world, numbers) === 1));
        const asked = messages(scene);
        world.host.comment(numbers[0] ?? 0, "loop resume", "ada");
        await service.event("lane.held", holds + 1);
        same("messages after a resume without a login", messages(scene), asked);
        world.harness("");
        world.host.comment(numbers[0] ?? 0, "loop resume", "ada");
        await service.event("turn.done", 2);
        same("lanes that wait", await heldLanes(service), 0);
        same("notices", notices(world, numbers), 1);
      }),
  ),
  row(
    "HA-service-06",
    "usage limit: every lane sleeps until the reset, one probes, and the others go on after it",
    (scene) =>
      inWorld(scene, async (world, service) => {
        world.harness(
          "unset ANTHROPIC_API_KEY\nexport CLAUDE_CODE_OAUTH_TOKEN=sk-ant-oat01-dummy\n",
        );
        const reset = Math.floor(Date.now() / 1000) + 3_600;
        const first = world.startIssue(`{{stub:limit five_hour ${reset}}}`);
        same("until", (await service.event("lane.held")).fields["until"], reset * 1000);
        world.startIssue("{{stub:text second}}");
        await until("two sleeping lanes", async () => (await heldLanes(service)) === 2);
        same("messages while they sleep", messages(scene), 1);
        world.pass(3_605_000); // Past the reset, and not yet two minutes past it, when the others would look for themselves.
        await service.event("turn.done", 2);
        const [probe, other] = service.events("turn.done");
        holds(
          "nothing before the reset",
          (probe?.time ?? 0) >= reset * 1000,
          service.events("turn.done"),
        );
        same(
          "the first lane probed",
          [probe?.workItem, other?.workItem !== probe?.workItem],
          [world.ref(first), true],
        );
        same("messages", messages(scene), 3);
        same("words on the thread", notices(world, [first]), 0);
      }),
  ),
];

/** The service's messages in a conversation, oldest first. */
function promptsOf(scene: Scene, id = ""): readonly string[] {
  return scene.transcript(id).flatMap((line) => {
    const { content } = Object(line["message"]);
    return line["type"] === "user" &&
      typeof content === "string" &&
      content.startsWith("Work item:")
      ? [content]
      : [];
  });
}

function messages(scene: Scene): number {
  return conversations(scene).flatMap((id) => promptsOf(scene, id)).length;
}

function forget(scene: Scene, id = ""): void {
  for (const file of globSync(path.join(scene.configDir, `projects/*/${id}.jsonl`))) rmSync(file);
}

function notices(world: World, numbers: readonly number[]): number {
  return numbers
    .flatMap((number) => world.host.issue(number).comments)
    .filter(({ body }) => body.includes("cannot work")).length;
}

async function heldLanes(service: Service): Promise<number> {
  const { lanesHeld }: { readonly lanesHeld: number } = JSON.parse(
    await service.loop("status", "--json"),
  );
  return lanesHeld;
}

async function runningTurns(service: Service): Promise<number> {
  const { turns }: { readonly turns: { readonly injecting: number } } = JSON.parse(
    await service.loop("status", "--json"),
  );
  return turns.injecting;
}

type Listed = { readonly attempt: { readonly child: { readonly pid: number } | null } | null };

/** Ends what the newest turn has running. */
async function endChild(service: Service): Promise<void> {
  const turns: readonly Listed[] = JSON.parse(await service.loop("turns", "list", "--json"));
  for (const { attempt } of turns) if (attempt?.child) signalGroup(attempt.child.pid, "SIGKILL");
}
