import { describe, expect, it } from "vitest";
import {
  activityEvent,
  carol,
  closedEvent,
  commentEvent,
  labelEvent,
} from "../../src/testing/build-event.ts";
import { issueRef } from "../../src/testing/build-state.ts";
import { given } from "../../src/testing/given.ts";

describe("the main story", () => {
  it("goes from the label to the release", () => {
    const opened = given().after(activityEvent({ item: { ...activityEvent().item, labels: [] } }));
    expect(opened.state.item.workItem).toBeNull();
    const armed = opened.after(labelEvent());
    expect(armed.state.item.workItem?.armed).toBe(true);
    expect(armed.when(commentEvent("please hurry")).says).toBe("refused: not-started");
    const start = armed.when(commentEvent("loop start"));
    expect([start.says, start.does]).toEqual([
      "started: start-requested",
      ["react eyes", "turn spawn #7", "react hooray"],
    ]);
    const session = {
      kind: "session-opened",
      endpoint: issueRef,
      harness: "A",
      harnessSessionId: "s",
      workdir: "/w",
      runner: "headless",
      at: 1,
    } as const;
    const working = armed.after(commentEvent("loop start"), session, {
      kind: "session-begun",
      endpoint: issueRef,
    });
    expect(working.when(commentEvent("also fix the header", { by: carol })).says).toBe(
      "ignored: stranger-dropped",
    );
    const granted = working.after(commentEvent("loop add-collaborator @carol"));
    expect(granted.when(commentEvent("also fix the header", { by: carol })).does).toEqual([
      "turn resume #7",
    ]);
    const paused = granted.after(commentEvent("Loop  PAUSE"));
    expect(paused.state.item.lanes[0]?.hold?.reason).toBe("paused");
    expect(paused.when(commentEvent("while you rest")).does).toEqual(["turn resume #7"]);
    const resumed = paused.after(commentEvent("loop resume"));
    expect(resumed.state.item.lanes[0]?.hold).toBeNull();
    const closed = resumed.when(closedEvent());
    expect([closed.says, closed.does]).toEqual([
      "closed: closed-by-authorized",
      ["drop-turns #7", "end-session #7", "release #7"],
    ]);
    expect(closed.after.collaborators).toEqual([]);
  });
});
