import { describe, expect, test } from "vitest";
import { normalise } from "../../src/event/normalise.ts";
import { issueOf } from "../../src/testing/build-event.ts";
import { given } from "../../src/testing/given.ts";
import type { ControlEvent } from "../../src/event/event.ts";

const issue = {
  number: 7,
  id: 70,
  title: "Broken widget",
  body: "It squeaks.",
  state: "open",
  labels: [{ name: "loop: auto-execute" }],
  user: { login: "alice", id: 1 },
  updated_at: "2026-03-01T12:00:00Z",
  html_url: "https://github.com/octo/shop/issues/7",
};
const repository = {
  name: "shop",
  owner: { login: "octo" },
  id: 500,
  clone_url: "https://github.com/octo/shop.git",
  default_branch: "trunk",
};

function control(over: Readonly<Record<string, unknown>> = {}): ControlEvent {
  const read = normalise(
    { id: "d-1", source: "cli", event: "control" },
    { target: "host:octo/shop#7", actor: "operator", request: { verb: "start" }, ...over },
    { defaultHost: "github.com" },
  );
  if (!read.ok || read.event.kind !== "control")
    throw new Error("it was not read as a control event");
  return read.event;
}

describe("a control delivery that carries the item as the host shows it", () => {
  test("arms and starts what no event has shown, and remembers it", () => {
    const after = given().when(control({ issue, repository }));
    expect(after.says).toBe("started: start-requested");
    expect(after.after.workItem).toMatchObject({
      title: "Broken widget",
      armed: true,
      cloneUrl: "https://github.com/octo/shop.git",
      defaultBranch: "trunk",
      control: { status: "started", source: "cli" },
    });
  });

  test("is refused where the label is not on it, or it is closed, whatever is on record", () => {
    expect(given().when(control({ issue: { ...issue, labels: [] } })).says).toBe(
      "refused: not-armed",
    );
    expect(given().when(control({ issue: { ...issue, state: "closed" } })).says).toBe(
      "refused: item-closed",
    );
    expect(given().when(control()).says).toBe("refused: not-armed");
  });

  test("R19 an older picture than what is on record does not count", () => {
    const known = given().after(
      control({
        issue: { ...issue, labels: [], updated_at: "2026-03-01T13:00:00Z" },
        request: { verb: "pause" },
      }),
    );
    expect(known.state.item.workItem?.armed).toBe(false);
    expect(known.after(control({ request: { verb: "stop" } })).when(control({ issue })).says).toBe(
      "refused: not-armed",
    );
  });

  test.each([
    ["of another number", { ...issue, number: 8 }],
    ["of no shape", "issue 7"],
    ["without a number", { title: "x" }],
  ])("a picture %s is none", (_what, odd) => {
    expect(control({ issue: odd }).shown).toBeUndefined();
  });

  test("as JSON it is the plain item, so that a kept decision can be made again", () => {
    expect(JSON.parse(JSON.stringify(control({ issue }).shown))).toMatchObject({
      ...issueOf({
        type: "issue",
        number: 7,
        id: "70",
        title: "Broken widget",
        body: "It squeaks.",
        labels: ["loop: auto-execute"],
      }),
      author: { login: "alice" },
      updatedAt: "2026-03-01T12:00:00Z",
    });
  });
});

describe("a request", () => {
  const read = (over: Readonly<Record<string, unknown>>): unknown => {
    const result = normalise(
      { id: "d-1", source: "cli", event: "control" },
      { target: "host:octo/shop#7", actor: "operator", request: { verb: "start" }, ...over },
      { defaultHost: "github.com" },
    );
    return result.ok && result.event.kind === "control" ? result.event.request : result;
  };
  const asks = (request: unknown): unknown => read({ request });
  const shape = { ok: false, why: "shape" };
  const long = (n: number): string => "x".repeat(n);

  test.each<readonly [request: unknown, understood: unknown]>([
    [{ verb: "start" }, { verb: "start", login: null, instance: null }],
    [
      { verb: "add-collaborator", login: "carol", instance: "build-1" },
      { verb: "add-collaborator", login: "carol", instance: "build-1" },
    ],
    [
      { verb: "start", login: long(100), instance: null },
      { verb: "start", login: long(100), instance: null },
    ],
    [{ verb: "start", login: long(101) }, shape],
    [{ verb: "start", login: 7 }, shape],
    [{ verb: "start", login: ["carol"] }, shape],
    [{ verb: "start", instance: 7 }, shape],
    [{ verb: "sing" }, shape],
    [{}, shape],
    ["start", shape],
    [
      { verb: "say", text: "Go on." },
      { verb: "say", text: "Go on." },
    ],
    [
      { verb: "say", text: long(65_536) },
      { verb: "say", text: long(65_536) },
    ],
    [{ verb: "say", text: long(65_537) }, shape],
    [{ verb: "say", text: "" }, shape],
    [{ verb: "say", text: ["x"] }, shape],
    [{ verb: "say" }, shape],
    [
      { verb: "graph", step: "advance" },
      { verb: "graph", step: "advance", node: null },
    ],
    [
      { verb: "graph", step: "complete", node: null },
      { verb: "graph", step: "complete", node: null },
    ],
    [
      { verb: "graph", step: "skip", node: "extra" },
      { verb: "graph", step: "skip", node: "extra" },
    ],
    [{ verb: "graph", step: "jump" }, shape],
    [{ verb: "graph", node: "extra" }, shape],
    [{ verb: "graph", step: "skip", node: 7 }, shape],
  ])("%.80j is %.80j", (request, understood) => expect(asks(request)).toEqual(understood));

  test.each<readonly [over: Readonly<Record<string, unknown>>, why: string]>([
    [{ target: 7 }, "shape"],
    [{ target: "octo/shop" }, "bad-name"],
    [{ actor: "" }, "shape"],
    [{ actor: long(101) }, "shape"],
    [{ actor: ["operator"] }, "shape"],
  ])("with %.60j is refused: %s", (over, why) => expect(read(over)).toEqual({ ok: false, why }));

  test("by a name of 100 letters is taken", () =>
    expect(control({ actor: long(100) }).actor).toEqual({
      login: long(100),
      id: null,
      bot: false,
    }));

  test("of the service itself, which looks where the work stands, is no person's", () => {
    const isBot = (request: unknown): unknown => control({ request }).actor?.bot;
    expect(
      [
        { verb: "graph", step: "advance" },
        { verb: "graph", step: "complete" },
        { verb: "start" },
        { verb: "say", text: "x" },
      ].map(isBot),
    ).toEqual([true, false, false, false]);
  });
});
