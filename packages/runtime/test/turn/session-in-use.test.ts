import { LoopError } from "@loopwork/core/ports";
import { expect, test } from "vitest";
import { heldElsewhere } from "../../src/turn/session-in-use.ts";

const asked = (answer: () => boolean): ReturnType<typeof heldElsewhere> =>
  heldElsewhere({ harnessSessionId: "s-1" }, { isHeldElsewhere: async () => answer() });
const fails = (error: Error) => (): never => {
  throw error;
};

test("nobody there lets the turn begin, somebody keeps it waiting", async () => {
  expect([
    await asked(() => false),
    await asked(() => true),
    await heldElsewhere({ harnessSessionId: "s-1" }, null),
  ]).toEqual([null, { kind: "session-busy" }, null]);
});

test("where nobody can tell, the lane waits and says what to do; a bug stays one", async () => {
  expect(
    await asked(
      fails(new LoopError("LOOP_E_TERMINAL", "the folder is open to others", "chmod 700")),
    ),
  ).toEqual({ kind: "session-busy", detail: "the folder is open to others; chmod 700" });
  expect(
    await asked(fails(new LoopError("LOOP_E_TMUX_MISSING", "tmux was not found", "install tmux"))),
  ).toEqual({ kind: "not-installed", detail: "tmux was not found; install tmux" });
  await expect(asked(fails(new TypeError("a bug")))).rejects.toThrow("a bug");
});

test("a broker that was lost while it asked has said nothing of the session: the turn is taken up again, and no lane is held", async () => {
  await expect(
    asked(fails(new LoopError("LOOP_E_BROKER", "nobody knows", "nothing to do"))),
  ).rejects.toMatchObject({ code: "LOOP_E_BROKER" });
});
