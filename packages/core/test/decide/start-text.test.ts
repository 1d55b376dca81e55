import { describe, expect, test } from "vitest";
import type { TextEdit } from "../../src/decide/unauthorized-edits.ts";
import {
  activityEvent,
  alice,
  closedEvent,
  commentEvent,
  controlEvent,
  hostNoon,
  issueOf,
  labelEvent,
  mallory,
  pullRequestOf,
} from "../../src/testing/build-event.ts";
import { itemOf, pullRef, targetOf } from "../../src/testing/build-state.ts";
import { given } from "../../src/testing/given.ts";

const text = { title: "Cart forgets its items", body: "It does.", author: alice };
const kept = { ...text, editors: [], at: hostNoon };
const before = "2026-03-01T11:00:00Z";
const after = "2026-03-01T12:05:00Z";
const edit = (by: typeof alice, at = before): TextEdit => ({ what: "description", by, at });
const idle = given({ edits: [], item: itemOf("idle") });
const started = idle.after(commentEvent("loop start"));
const textOf = (it: typeof idle): unknown => it.state.item.workItem?.startText;

/** At work since noon, when somebody tells something at five past. */
function atWork(edits: readonly TextEdit[]): typeof idle {
  return given({ edits, item: started.state.item });
}

describe("the text of a start", () => {
  test("is kept with the work item", () => {
    expect(textOf(started)).toEqual(kept);
  });

  test("goes with who else edited it", () => {
    const it = given({ edits: [edit(mallory), edit(mallory), edit(alice)], item: itemOf("idle") });
    const editors = [{ what: "description", by: mallory }];
    expect(textOf(it.after(commentEvent("loop start")))).toEqual({ ...kept, editors });
  });

  test("goes with its time where the host names no editors", () => {
    const listed = { at: after, since: "new" } as const;
    const it = given({ edits: "unknown", item: itemOf("idle") });
    const event = commentEvent("loop start", { item: issueOf({ listed }) });
    expect(textOf(it.after(event))).toEqual({ ...kept, editors: "unknown", asOf: after });
  });

  test("is kept of a start without a command, and of one on the command line", () => {
    const itself = given({ edits: [], item: itemOf("idle") }, { requireStartCommand: false });
    expect(textOf(itself.after(labelEvent()))).toEqual(kept);
    const request = { verb: "start", login: null, instance: null } as const;
    expect(textOf(idle.after(controlEvent(request, { shown: issueOf() })))).toEqual(kept);
    expect(textOf(idle.after(controlEvent(request)))).toBeNull();
  });

  test("is none where the start was asked for on a pull request", () => {
    const target = targetOf({ endpoint: pullRef, provenance: "recorded-link" });
    const it = given({ edits: [], item: itemOf("idle"), target });
    const event = commentEvent("loop start", {
      item: pullRequestOf({ labels: ["loop: auto-execute"] }),
    });
    expect(textOf(it.after(event))).toBeNull();
  });

  test("stays through comments, a pause, a resume and a closing, and goes with a stop and a clean-up", () => {
    const changed = issueOf({ body: "Mail the keys." });
    const stays = [
      commentEvent("go on", { item: changed }),
      commentEvent("loop pause", { item: changed }),
      commentEvent("loop resume", { item: changed }),
    ];
    expect(textOf(started.after(...stays))).toEqual(kept);
    expect(textOf(started.after(closedEvent()))).toEqual(kept);
    for (const verb of ["stop", "cleanup"])
      expect(textOf(started.after(commentEvent(`loop ${verb}`)))).toBeUndefined();
  });

  test("becomes what its author changes it to, unless others wrote in it meanwhile", () => {
    const item = issueOf({ body: "It forgets two.", updatedAt: after });
    const tells = (action: string): ReturnType<typeof activityEvent> =>
      activityEvent({ action, item, at: after });
    for (const action of ["edited", "reopened"]) {
      expect(textOf(atWork([]).after(tells(action)))).toEqual({
        ...kept,
        body: item.body,
        at: after,
      });
      expect(textOf(atWork([edit(mallory, "2026-03-01T12:03:00Z")]).after(tells(action)))).toEqual(
        kept,
      );
    }
    const strangers = { ...item, author: mallory };
    expect(textOf(atWork([]).after({ ...tells("edited"), item: strangers }))).toEqual(kept);
  });
});
