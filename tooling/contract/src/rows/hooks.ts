import path from "node:path";
import { holds, type Row, row, same } from "../row.ts";
import type { Scene } from "../scene.ts";
import { inWorld, toldByHooks, type World } from "../service/world.ts";

/** Our hooks in whole turns of the service: what they do, and what of it reaches the model. */
export const hookRows: readonly Row[] = [
  row(
    "HA-hook-01",
    "a session is reminded of its work item when it begins, before the model is asked, and still has it when it goes on",
    (scene) =>
      inWorld(scene, async (world, service) => {
        const number = world.startIssue("{{stub:text begun}}");
        await service.event("turn.done");
        const reminder = `loop: this session works on ${world.ref(number)}`;
        same("told", contextsOf(scene, reminder), 1);
        world.host.comment(number, "{{stub:text gone on}}", "ada");
        await service.event("turn.done", 2);
        holds("still told", contextsOf(scene, reminder) >= 1);
        const unaware = scene
          .requests()
          ?.filter(
            ({ prompt, messages }) =>
              prompt.startsWith("Work item:") &&
              prompt.includes(world.ref(number)) &&
              !JSON.stringify(messages).includes(reminder),
          );
        same("requests without it", unaware ?? [], []);
      }),
  ),
  row(
    "HA-hook-02",
    "a pull request that the agent opens is recorded, with the number that the tool returned, and the next request to the model says so",
    (scene) =>
      inWorld(scene, async (world, service) => {
        await world.host.commit({
          branch: "fill",
          message: "Fill",
          files: { "can.txt": "full\n" },
          by: "ada",
        });
        const { number: opened } = await world.host.openPull({
          title: "Fill",
          body: "",
          head: "fill",
          by: "ada",
        });
        hostCommand(
          scene,
          world,
          `case "$1 $2" in "pr create") echo "${world.host.url}/practice/garden/pull/${opened}" ;; *) echo "${world.host.url}/practice/garden/pull/8" ;; esac`,
        );
        const number = world.startIssue(
          "Title #7 {{stub:bash gh pr view 8}} {{stub:bash gh pr create --title 'not #6'}} {{stub:bash gh pr create --fill}}",
        );
        await service.event("turn.done");
        same(
          "recorded",
          [
            ...new Set(
              service.events("pull-request.linked").map(({ fields }) => fields["pullRequest"]),
            ),
          ],
          [opened],
        );
        const line = `loop: recorded pull request #${opened} against ${world.ref(number)}`;
        holds("told, though perhaps once for the same words", contextsOf(scene, line) >= 1);
        const requests = scene.requests();
        if (requests === null) return;
        const next = requests.find(
          ({ lastResult }) => lastResult?.includes(`/pull/${opened}`) === true,
        );
        holds(
          "the very next request to the model has it",
          next !== undefined && JSON.stringify(next.messages).includes(line),
          next?.messages,
        );
      }),
  ),
  row(
    "HA-hook-03",
    "a pull request that may not be recorded is reported, and the work goes on",
    (scene) =>
      inWorld(scene, async (world, service) => {
        hostCommand(scene, world, `echo "${world.host.url}/elsewhere/private/pull/3"`);
        world.startIssue("{{stub:bash gh pr create --fill}} {{stub:bash touch went-on.txt}}");
        await service.event("turn.done");
        same("recorded", service.events("pull-request.linked").length, 0);
        same("told", contextsOf(scene, "loop: could not record host:"), 1);
      }),
  ),
];

/** The code host's command line, as a session finds it. */
function hostCommand(scene: Scene, world: World, lines: string): void {
  const file = scene.write("host-bin/gh", `#!/bin/sh\n${lines}\n`, 0o755);
  world.harness(`PATH='${path.dirname(file)}':"$PATH"; export PATH\n`);
}

/** How often hooks told a session something that begins so, as its transcript has it. */
function contextsOf(scene: Scene, words: string): number {
  return toldByHooks(scene).filter((text) => text.startsWith(words)).length;
}
