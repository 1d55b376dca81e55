import { expect, test } from "vitest";
import { listen } from "../support/intake.ts";
import { createWorld } from "../support/world.ts";

/** An issue at work on which dave was let in, by a webhook that can be switched off. */
async function daveGranted(events?: string) {
  const world = await createWorld();
  const { scene, host } = world;
  if (events !== undefined)
    scene.configure(scene.text().replace(/hostWebhook: \{/u, `$& events: ${events},`));
  const { told, reasons, service } = await listen(world, "webhook");
  const number = world.startIssue("{{stub:text done}}");
  await told();
  const said = async (text: string, by = "ada"): Promise<string | undefined> => {
    host.comment(number, text, by);
    await told();
    return (await reasons()).at(-1);
  };
  const typed = async (verb: string): Promise<unknown> => {
    const { code } = await scene.loop(verb, "@dave", "--work-item", world.ref(number));
    await told();
    return code;
  };
  const later = (): Promise<void> => new Promise((second) => setTimeout(second, 1100)); // The host's times are whole seconds.
  expect(await typed("add-collaborator")).toBe(0);
  expect(await said("Mind the roses.", "dave")).toBe("input-of-collaborator");
  await later();
  const untold = async (): Promise<void> => {
    host.aim(null);
    host.closeIssue(number, "ada");
    host.reopenIssue(number, "mallory");
    await host.idle();
    host.aim({ url: service.url, secret: "practice-secret" });
    await later();
  };
  const why = async (): Promise<string> => {
    const decided = (await service.events("delivery.decided")).at(-1);
    return (await scene.loop("why", decided?.delivery ?? "")).out;
  };
  return { said, typed, untold, why, host, number, told, reasons };
}

test(
  "a grant ends with a closing and reopening that nobody delivered, and `loop why` says so",
  { timeout: 60_000 },
  async () => {
    const { said, untold, why } = await daveGranted();
    await untold();
    expect(await said("And the tulips.", "dave")).toBe("stranger-dropped");
    expect(await why()).toContain(
      "the issue was reopened, and no close arrived since @dave was added",
    );
  },
);

test(
  "somebody else's words after such a reopening end it as well",
  { timeout: 60_000 },
  async () => {
    const { said, untold } = await daveGranted();
    await untold();
    expect(await said("Nobody hears me.", "mallory")).toBe("stranger-dropped");
    expect(await said("And the tulips.", "dave")).toBe("stranger-dropped");
  },
);

test("a grant in a comment after such a reopening stays", { timeout: 60_000 }, async () => {
  const { said, untold } = await daveGranted();
  await untold();
  expect(await said("loop add-collaborator @dave")).toBe("collaborator-granted");
  expect(await said("And the tulips.", "dave")).toBe("input-of-collaborator");
  expect(await said("And the daisies.", "dave")).toBe("input-of-collaborator");
});

test("a grant on the command line after such a reopening stays", { timeout: 60_000 }, async () => {
  const { said, typed, untold } = await daveGranted();
  await untold();
  expect(await typed("add-collaborator")).toBe(0);
  expect(await said("And the tulips.", "dave")).toBe("input-of-collaborator");
});

test(
  "a grant ends with a reopening where only comments are sent",
  { timeout: 60_000 },
  async () => {
    const { said, host, number, told, reasons } = await daveGranted("[issue_comment]");
    host.closeIssue(number, "ada");
    host.reopenIssue(number, "mallory");
    await told();
    expect((await reasons()).slice(-2)).toEqual(["event-not-listed", "event-not-listed"]);
    expect(await said("And the tulips.", "dave")).toBe("stranger-dropped");
  },
);
