import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { has, holds, type Row, row, same } from "../row.ts";
import type { Scene } from "../scene.ts";
import type { Without } from "../service/guards.ts";
import { openWorld, type Service, until, type World } from "../service/world.ts";

/**
 * Two processes, each with a message for one conversation: the harness would fork it without a
 * word.
 */
export const forkRows: readonly Row[] = [
  row(
    "HA-fork-01",
    "two resumes of one conversation at once, from two processes: by the lock alone the second waits, and the conversation stays one line",
    (scene) =>
      resumedTwice(scene, "without-register", async (services, letGo) => {
        const held = (): readonly Service[] =>
          services.filter((service) => service.events("lane.held").length > 0);
        await until("one that waits", () => Promise.resolve(held().length > 0));
        letGo();
        await Promise.all(services.map((service) => service.event("turn.done")));
        same(
          "how many waited, and why",
          [
            held().length,
            ...new Set(
              held()
                .flatMap((service) => service.events("lane.held"))
                .map(({ reason }) => reason),
            ),
          ],
          [1, "session-busy"],
        );
        same("parents with two children", forksOf(scene), []);
        same("replies on the line to the newest", repliesOnLine(scene), 5);
      }),
  ),
  row(
    "HA-fork-02",
    "with the lock taken away the same two processes fork the conversation: a reply of one is lost to the other",
    (scene) =>
      resumedTwice(scene, "without-lock", async (services, letGo) => {
        await until("both messages on record", () =>
          Promise.resolve(scene.transcript().filter(isMessage).length === 3),
        );
        letGo();
        await Promise.all(services.map((service) => service.event("turn.done")));
        same(
          "who waited",
          services.flatMap((service) => service.events("lane.held")),
          [],
        );
        holds("parents with two children", forksOf(scene).length > 0, linesOf(scene));
        holds("replies on the line to the newest", repliesOnLine(scene) < 5, linesOf(scene));
      }),
  ),
];

/**
 * Both services are told of one conversation, and each is sent a message for it that is not
 * answered before `letGo`.
 */
async function resumedTwice(
  scene: Scene,
  without: Without,
  look: (services: readonly Service[], letGo: () => void) => Promise<void>,
): Promise<void> {
  const world = await openWorld(scene);
  try {
    has("the conversation", (await scene.turn("hello")).outcome, { kind: "done" });
    const { number } = world.host.openIssue({
      title: "Water the garden",
      body: "Please.",
      labels: ["loop: auto-execute"],
      by: "ada",
    });
    const services = [
      await registered(scene, world, "one", number, without),
      await registered(scene, world, "two", number, without),
    ];
    const waiting = scene.write("wait.mjs", waitFor);
    for (const service of services) {
      service.aim();
      world.host.comment(number, `Go on. {{stub:bash node ${waiting} ${scene.dir}/go}}`, "ada");
      await world.host.idle();
    }
    await look(services, () => void scene.write("go", ""));
  } finally {
    await world.close();
  }
}

/** A command that ends once a file is there, or after a minute. */
const waitFor =
  'import { existsSync } from "node:fs";\nfor (let n = 0; n < 1200 && !existsSync(process.argv[2]); n += 1) await new Promise((resolve) => setTimeout(resolve, 50));\n';

/**
 * A service whose lane of the issue resumes the scene's conversation, in a checkout of its own.
 * Both share one state root, and with it the locks.
 */
async function registered(
  scene: Scene,
  world: World,
  name: string,
  number: number,
  without: Without,
): Promise<Service> {
  const service = await world.service(name, name === "one" ? "host-webhook" : "service"); // Two daemons of one kind are refused on one state root.
  const workdir = path.join(scene.dir, `clone-${name}`);
  await promisify(execFile)("git", ["clone", "-q", world.host.cloneUrl, workdir], {
    env: { PATH: process.env["PATH"], HOME: scene.dir },
  });
  await service.start(without);
  await service.loop(
    "sessions",
    "register",
    "--work-item",
    world.ref(number),
    "--harness",
    "A",
    "--harness-session-id",
    scene.sessionId,
    "--workdir",
    workdir,
  );
  return service;
}

function isMessage({ type, message }: Readonly<Record<string, unknown>>): boolean {
  return type === "user" && typeof Object(message).content === "string";
}

type Line = { readonly uuid: string; readonly parent: string | null; readonly type: string };

/** The conversation as the harness keeps it: each line names the one it follows. */
function linesOf(scene: Scene): readonly Line[] {
  return scene
    .transcript()
    .flatMap(({ uuid, parentUuid, type }) =>
      typeof uuid === "string"
        ? [{ uuid, parent: typeof parentUuid === "string" ? parentUuid : null, type: String(type) }]
        : [],
    );
}

/** Lines that two others follow. */
function forksOf(scene: Scene): readonly string[] {
  const children = Map.groupBy(linesOf(scene), ({ parent }) => parent ?? "");
  return [...children].flatMap(([parent, all]) =>
    parent !== "" && all.length > 1 ? [parent] : [],
  );
}

/** Replies that a later resume would see: those on the way from the newest one to the beginning. */
function repliesOnLine(scene: Scene): number {
  const lines = new Map(linesOf(scene).map((line) => [line.uuid, line]));
  let replies = 0;
  for (
    let at = [...lines.values()].findLast(({ type }) => type === "assistant");
    at !== undefined;
    at = lines.get(at.parent ?? "")
  )
    if (at.type === "assistant") replies += 1;
  return replies;
}
