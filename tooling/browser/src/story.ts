import type { Scene } from "./scene.ts";

/** Work items in every state that the board shows, made by what people do on the host. */
export type Story = {
  readonly done: number;
  readonly working: number;
  readonly paused: number;
  readonly asked: number;
  readonly failed: number;
  readonly deferred: number;
  readonly unowned: number;
  readonly hostile: number;
};

export const hostileTitle = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script> \u202Etxt.exe`;

const label = "loop: auto-execute";

export async function playStory(scene: Scene): Promise<Story> {
  const open = (title: string, body = "A short page is enough."): number =>
    scene.host.openIssue({ title, body, labels: [label], by: "ada" }).number;
  const begin = async (number: number, seen: RegExp): Promise<void> => {
    await scene.until(`/work-items/${encodeURIComponent(scene.refOf(number))}`, (answer) =>
      answer.includes('"armed":true'),
    );
    scene.host.comment(number, "loop start", "ada");
    await scene.until(`/work-items/${encodeURIComponent(scene.refOf(number))}`, (answer) =>
      seen.test(answer),
    );
  };
  const done = open("Write down how to water the garden");
  await begin(done, /"state":"done"/);
  scene.host.review(pullOf(scene, done), {
    state: "changes_requested",
    body: "Please say how often.",
    by: "ada",
  });
  await scene.until(
    `/turns?workItem=${encodeURIComponent(scene.refOf(done))}`,
    (answer) => answer.split('"state":"done"').length > 2,
  );
  scene.host.closeIssue(done, "ada");

  const working = open("Plant beans along the southern fence", "Beans. {{stub:hang 3000000}}");
  await begin(working, /"state":"injecting"/);
  const paused = open("Sharpen the spade before the ground freezes");
  await begin(paused, /"state":"done"/);
  scene.host.comment(paused, "loop pause", "ada");
  const asked = open(
    "Choose a colour for the shed",
    'Any. {{stub:bash loop ask "Red or green? The neighbours have a red one."}} {{stub:text I asked.}}',
  );
  await begin(asked, /"asked":\{/);
  const failed = open(
    "Count the snails",
    "All of them. {{stub:error 400 invalid_request_error the request cannot be understood}}",
  );
  await begin(failed, /"held":\[\{/);
  const deferred = open("Mend the gate");
  await begin(deferred, /"state":"done"/);
  scene.host.closeIssue(deferred, "mallory");
  const unowned = open("Turn the compost before the frost");
  scene.host.comment(unowned, "loop start instance:shed", "ada");
  await scene.until("/unowned-starts", (answer) => answer.includes('"address":"shed"'));
  const hostile = scene.host.openIssue({
    title: hostileTitle,
    body: "x",
    labels: [label],
    by: "mallory",
  }).number;
  await scene.until(
    "/waiting",
    (answer) => answer.includes("paused") && answer.includes("close-deferred"),
  );
  await scene.until(`/work-items/${encodeURIComponent(scene.refOf(done))}`, (answer) =>
    /"status":"closed"/.test(answer),
  );
  return { done, working, paused, asked, failed, deferred, unowned, hostile };
}

function pullOf({ host }: Scene, issue: number): number {
  const pull = host.issues().find(({ pull: of }) => of?.head.ref === `issue-${issue}`);
  if (pull === undefined) throw new Error(`nobody opened a pull request for #${issue}`);
  return pull.number;
}
