import { describe, expect, test } from "vitest";
import { normalise } from "../../src/normalise/normalise.ts";
import { given, issueOf } from "../../src/testing/index.ts";
import type { ControlEvent } from "../../src/normalise/event.ts";

const issue = { number: 7, id: 70, title: "Broken widget", body: "It squeaks.", state: "open", labels: [{ name: "loop: auto-execute" }], user: { login: "alice", id: 1 }, updated_at: "2026-03-01T12:00:00Z", html_url: "https://github.com/octo/shop/issues/7" };
const repository = { name: "shop", owner: { login: "octo" }, id: 500, clone_url: "https://github.com/octo/shop.git", default_branch: "trunk" };

function control(over: Readonly<Record<string, unknown>> = {}): ControlEvent {
  const read = normalise({ id: "d-1", source: "cli", event: "control" }, { target: "host:octo/shop#7", actor: "operator", request: { verb: "start" }, ...over }, { defaultHost: "github.com" });
  if (!read.ok || read.event.kind !== "control") throw new Error("it was not read as a control event");
  return read.event;
}

describe("a control delivery that carries the item as the host shows it", () => {
  test("arms and starts what no event has shown, and remembers it", () => {
    const after = given().when(control({ issue, repository }));
    expect(after.says).toBe("started: start-requested");
    expect(after.after.workItem).toMatchObject({ title: "Broken widget", armed: true, cloneUrl: "https://github.com/octo/shop.git", defaultBranch: "trunk", control: { status: "started", source: "cli" } });
  });

  test("is refused where the label is not on it, or it is closed, whatever is on record", () => {
    expect(given().when(control({ issue: { ...issue, labels: [] } })).says).toBe("refused: not-armed");
    expect(given().when(control({ issue: { ...issue, state: "closed" } })).says).toBe("refused: item-closed");
    expect(given().when(control()).says).toBe("refused: not-armed");
  });

  test("R19 an older picture than what is on record does not count", () => {
    const known = given().after(control({ issue: { ...issue, labels: [], updated_at: "2026-03-01T13:00:00Z" }, request: { verb: "pause" } }));
    expect(known.state.item.workItem?.armed).toBe(false);
    expect(known.after(control({ request: { verb: "stop" } })).when(control({ issue })).says).toBe("refused: not-armed");
  });

  test.each([["of another number", { ...issue, number: 8 }], ["of no shape", "issue 7"], ["without a number", { title: "x" }]])("a picture %s is none", (_what, odd) => {
    expect(control({ issue: odd }).shown).toBeUndefined();
  });

  test("as JSON it is the plain item, so that a kept decision can be made again", () => {
    expect(JSON.parse(JSON.stringify(control({ issue }).shown))).toMatchObject({ ...issueOf({ type: "issue", number: 7, id: "70", title: "Broken widget", body: "It squeaks.", labels: ["loop: auto-execute"] }), author: { login: "alice" }, updatedAt: "2026-03-01T12:00:00Z" });
  });
});
