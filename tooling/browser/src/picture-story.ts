import type { Scene } from "./scene.ts";

/** What stands on the board of the pictures: a day's work of a small team, in every state. */
export type PictureStory = { readonly done: number; readonly asked: number };

const label = "loop: auto-execute";

export async function playPictureStory(scene: Scene): Promise<PictureStory> {
  const path = (number: number): string => `/work-items/${encodeURIComponent(scene.refOf(number))}`;
  const open = (title: string, body: string): number =>
    scene.host.openIssue({ title, body, labels: [label], by: "ada" }).number;
  const begin = async (number: number, seen: RegExp): Promise<number> => {
    await scene.until(path(number), (answer) => answer.includes('"armed":true'));
    scene.host.comment(number, "loop start", "ada");
    await scene.until(path(number), (answer) => seen.test(answer));
    return number;
  };
  const done = await begin(
    open("Say in the README which versions of Node work", "People ask every week."),
    /"state":"done"/,
  );
  const pull = scene.host.issues().find(({ pull: of }) => of?.head.ref === `issue-${done}`);
  if (pull === undefined) throw new Error("nobody opened a pull request");
  scene.host.review(pull.number, {
    state: "changes_requested",
    body: "Please name the oldest one, too.",
    by: "ada",
  });
  await scene.until(
    `/turns?workItem=${encodeURIComponent(scene.refOf(done))}`,
    (answer) => answer.split('"state":"done"').length > 2,
  );
  scene.host.closeIssue(done, "ada");

  await begin(
    open("Dark mode flickers while a page loads", "On slow machines for about a second."),
    /"state":"done"/,
  );
  const paused = await begin(
    open("Move sessions out of the main database", "As decided on Monday."),
    /"state":"done"/,
  );
  scene.host.comment(paused, "loop pause", "ada");
  const deferred = await begin(
    open("Drop the export format of version 1", "Nobody has used it since spring."),
    /"state":"done"/,
  );
  scene.host.closeIssue(deferred, "mallory");
  await begin(
    open("Retry uploads that time out", "Three tries are enough. {{stub:hang 3000000}}"),
    /"state":"injecting"/,
  );
  const asked = await begin(
    open(
      "Sort the invoices by date",
      'By the date of the invoice. {{stub:bash loop ask "Newest first, or oldest first? The export has the oldest first."}} {{stub:text I asked.}}',
    ),
    /"asked":\{/,
  );
  open("Translate the error pages", "Into French first.");
  await scene.until(
    "/waiting",
    (answer) => answer.includes("paused") && answer.includes("close-deferred"),
  );
  await scene.until(path(done), (answer) => /"status":"closed"/.test(answer));
  return { done, asked };
}
