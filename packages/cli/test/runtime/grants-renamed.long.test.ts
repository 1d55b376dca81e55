import { describe, expect, test } from "vitest";
import { listen } from "../support/intake.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

/**
 * An issue at work on which ada let dave in; what he says is heard, also under the login that he
 * has by then.
 */
async function daveGranted() {
  const world = await createWorld();
  const { host, scene } = world;
  const { told, reasons, service } = await listen(world, "webhook");
  const number = world.startIssue("{{stub:text done}}");
  await told();
  const loop = async (...words: readonly string[]) => {
    const ran = await scene.loop(...words, "--work-item", world.ref(number));
    await told();
    return ran;
  };
  const said = async (text: string, by = "ada"): Promise<string | undefined> => {
    host.comment(number, text, by);
    await told();
    return (await reasons()).at(-1);
  };
  const load = () => service.parts.store.items.load(world.ref(number));
  const grants = async (): Promise<readonly string[]> =>
    (await load()).collaborators.map(({ login }) => login);
  host.comment(number, "I am here.", "dave");
  await told();
  expect(await loop("add-collaborator", "@dave")).toMatchObject({ code: 0 });
  expect(await said("As dave.", "dave")).toBe("input-of-collaborator");
  return { world, host, number, loop, said, load, grants, told };
}

/** The same, and dave has called himself dave2 since, and was heard under that. */
async function daveRenamed() {
  const story = await daveGranted();
  story.host.renameUser("dave", "dave2");
  expect(await story.said("As dave2.", "dave2")).toBe("input-of-collaborator");
  return story;
}

describe("a collaborator who renamed himself", () => {
  test.each([
    ["his new login in a comment", "@dave2"],
    ["his old login in a comment", "@dave"],
    ["another case of his new login in a comment", "@DAVE2"],
  ])("is heard no longer once %s was taken back", { timeout: 60_000 }, async (_how, login) => {
    const { said, grants } = await daveRenamed();
    expect(await said(`loop remove-collaborator ${login}`)).toBe("collaborator-revoked");
    expect(await grants()).toEqual([]);
    expect(await said("Still here?", "dave2")).toBe("stranger-dropped");
  });

  test.each(["@dave2", "@dave"])(
    "is heard no longer once %s was taken back on the command line",
    { timeout: 60_000 },
    async (login) => {
      const { loop, said, grants } = await daveRenamed();
      const ran = await loop("remove-collaborator", login);
      expect([ran.code, ran.out]).toEqual([0, expect.stringContaining("can no longer comment")]);
      expect([await grants(), await said("Still here?", "dave2")]).toEqual([
        [],
        "stranger-dropped",
      ]);
    },
  );

  test(
    "has one grant, however often he is let in, and it is taken back as one",
    { timeout: 60_000 },
    async () => {
      const { loop, said, grants } = await daveRenamed();
      expect(await loop("add-collaborator", "@dave2")).toMatchObject({ code: 0 });
      expect(await grants()).toEqual(["dave2"]);
      expect(await said("loop remove-collaborator @dave2")).toBe("collaborator-revoked");
      expect([await grants(), await said("Still here?", "dave2")]).toEqual([
        [],
        "stranger-dropped",
      ]);
    },
  );

  test("is shown under the login that he was heard under last", { timeout: 60_000 }, async () => {
    const { world, number, load } = await daveRenamed();
    expect((await load()).collaborators).toMatchObject([{ login: "dave", calledNow: "dave2" }]);
    expect((await world.scene.loop("sessions", "show", world.ref(number))).out).toContain(
      "@dave (now @dave2)",
    );
  });

  test(
    "is taken back with his old login, whoever has that by then",
    { timeout: 60_000 },
    async () => {
      const { host, said, grants } = await daveRenamed();
      expect(await said("I am somebody else.", "dave")).toBe("actor-id-mismatch");
      host.reregister("dave");
      expect(await said("loop remove-collaborator @dave")).toBe("collaborator-revoked");
      expect([
        await grants(),
        await said("Still here?", "dave2"),
        await said("And I?", "dave"),
      ]).toEqual([[], "stranger-dropped", "stranger-dropped"]);
    },
  );
});

describe("while the code host doesn't say whose login it is", () => {
  test(
    "an account that was heard under the new login is taken back by what is on record",
    { timeout: 60_000 },
    async () => {
      const { host, said, grants } = await daveRenamed();
      host.traffic.break({ fits: (path) => path.endsWith("/users/dave2"), status: 503 });
      expect(await said("loop remove-collaborator @dave2")).toBe("collaborator-revoked");
      expect([await grants(), await said("Still here?", "dave2")]).toEqual([
        [],
        "stranger-dropped",
      ]);
    },
  );

  test(
    "one that nobody heard of is not said to be taken back, and may be by the login it was granted under",
    { timeout: 60_000 },
    async () => {
      const { host, number, loop, said, grants } = await daveGranted();
      host.renameUser("dave", "dave2");
      host.traffic.break({ fits: (path) => path.endsWith("/users/dave2"), status: 503 });
      expect(await said("loop remove-collaborator @dave2")).toBe("revocation-unanswered");
      await until(
        () =>
          host.issue(number).comments.some(({ body }) => body.startsWith("Nothing was revoked")),
        "the answer",
      );
      const ran = await loop("remove-collaborator", "@dave2");
      expect([ran.code, ran.out]).toEqual([1, expect.stringContaining("Nothing was revoked")]);
      expect(await grants()).toEqual(["dave"]);
      expect(await said("loop remove-collaborator @dave")).toBe("collaborator-revoked");
      expect(await said("Still here?", "dave2")).toBe("stranger-dropped");
    },
  );
});
