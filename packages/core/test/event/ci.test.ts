import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/event/parse-payload.ts";
import type { CiEvent, HostEventName } from "../../src/event/event.ts";
import { normalise } from "../../src/event/normalise.ts";
import { itemOf, sessionOf, targetOf } from "../../src/testing/build-state.ts";
import { given } from "../../src/testing/given.ts";
import { change, example } from "./payloads.ts";

const [checkRun, suite, workflow] = [
  example("check_run", "completed"),
  example("check_suite", "completed", 2),
  example("workflow_run", "completed"),
];

function read(
  event: HostEventName,
  payload: JsonObject,
  changes: Readonly<Record<string, unknown>> = {},
): CiEvent {
  const result = normalise({ id: "d", source: "webhook", event }, change(payload, changes), {
    defaultHost: "github.com",
  });
  if (!result.ok || result.event.kind !== "ci") throw new Error("no check");
  return result.event;
}

/** What tells checks apart over commits, and on one commit. */
const apart = ({ check }: CiEvent): unknown => [check.source, check.run];

describe("what tells checks of one name apart", () => {
  it("is the app and the suite of a check run", () => {
    expect(
      apart(
        read("check_run", checkRun, {
          "check_run.app.slug": "builder",
          "check_run.check_suite.id": 5,
        }),
      ),
    ).toEqual(["builder", "5"]);
    expect(
      apart(read("check_run", checkRun, { "check_run.app": null, "check_run.check_suite": null })),
    ).toEqual([null, null]);
  });

  it("is the app and the id of a suite", () => {
    expect(
      apart(read("check_suite", suite, { "check_suite.app.slug": "builder", "check_suite.id": 6 })),
    ).toEqual(["builder", "6"]);
  });

  it("is the workflow and its trigger of a run", () => {
    expect(
      apart(
        read("workflow_run", workflow, {
          "workflow_run.workflow_id": 7,
          "workflow_run.event": "push",
        }),
      ),
    ).toEqual(["7 push", null]);
    expect(
      apart(
        read("workflow_run", workflow, {
          "workflow_run.workflow_id": null,
          "workflow_run.path": "build.yml",
          "workflow_run.event": null,
        }),
      ),
    ).toEqual(["build.yml", null]);
  });

  it("is nothing but the context of a status", () => {
    expect(apart(read("status", example("status")))).toEqual([null, null]);
  });
});

describe("the present head of a check's pull request", () => {
  const [own, foreign] = [186_853_002, 1].map((id) => ({ repo: { id, name: "Hello-World" } }));
  const head = (letter: string): JsonObject => ({ sha: letter.repeat(40) });
  const headOf = (...pullRequests: readonly JsonObject[]): unknown =>
    read("check_suite", suite, { "check_suite.pull_requests": pullRequests }).check.pullRequestHead;

  it("is the one of the first that is against this repository", () => {
    expect(
      headOf(
        { number: 5, base: foreign, head: head("c") },
        { number: 6, base: own, head: head("b") },
        { number: 7, base: own, head: head("d") },
      ),
    ).toBe("b".repeat(40));
  });

  it("is told apart by name where the payload shows its own repository without an id", () => {
    const nameless = (name: string): unknown =>
      read("check_suite", suite, {
        "repository.id": null,
        "check_suite.pull_requests": [
          { number: 6, base: { repo: { id: 1, name } }, head: head("b") },
        ],
      }).check.pullRequestHead;
    expect([nameless("Hello-World"), nameless("other")]).toEqual(["b".repeat(40), null]);
  });

  it.each([[[]], [[{ number: 6, base: own }]], [[{ number: 6, base: own, head: { sha: 3 } }]]])(
    "is null where the payload has none: %j",
    (pullRequests) => {
      expect(headOf(...pullRequests)).toBeNull();
    },
  );
});

describe("payloads of one push", () => {
  const atWork = given({
    item: itemOf("started", { sessions: [sessionOf()] }),
    target: targetOf({ provenance: "head-branch" }),
  });

  it("recover only once the job that failed is green, however many workflows have one of that name", () => {
    const build = (suiteId: number, conclusion: string): CiEvent =>
      read("check_run", checkRun, {
        "check_run.name": "build",
        "check_run.check_suite.id": suiteId,
        "check_run.conclusion": conclusion,
      });
    const [red, other] = [build(1, "failure"), build(2, "success")];
    expect(atWork.when(red).says).toBe("delivered: ci-first-failure");
    expect(atWork.after(red).when(other).says).toBe("noted: ci-no-change");
    expect(atWork.after(red, other).when(build(1, "success")).says).toBe("delivered: ci-recovered");
    expect(atWork.after(red).when(build(2, "failure")).says).toBe("delivered: ci-first-failure");
  });

  it("let no suite wake or recover beside its runs", () => {
    for (const conclusion of ["failure", "success"])
      expect(
        atWork.when(read("check_suite", suite, { "check_suite.conclusion": conclusion })).says,
      ).toBe("ignored: ci-suite-of-runs");
  });
});
