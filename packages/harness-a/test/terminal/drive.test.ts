import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { ChildEnd, Outcome } from "@loopwork/core/ports";
import { describe, expect, test } from "vitest";
import { outcome } from "../../src/outcome.ts";
import { driveTurn } from "../../src/terminal/drive.ts";
import { leadOf } from "../../src/terminal/message.ts";
import { begunBefore, createFakeTerminal, type FakeTerminal, waiting } from "./fake-terminal.ts";

/** The outcome as the runtime judges it from what the driver printed. */
async function driven(fake: FakeTerminal): Promise<Outcome> {
  const code = await driveTurn(fake.turn, fake.parts);
  const end: ChildEnd = { code, signal: null, stopped: null };
  return outcome({ receipt: fake.turn.receipt, end, stdout: fake.printed, stderr: "" });
}

const whole = (fake: FakeTerminal): string => `${leadOf(fake.turn.receipt)}${fake.turn.prompt}`;

describe("a message", () => {
  test("to a new conversation: the harness is started, the message written, sent once, and its end told", async () => {
    const fake = createFakeTerminal();
    expect(await driven(fake)).toMatchObject({ kind: "done", denials: [] });
    expect(fake.opened.map(({ argv, env, cwd }) => ({ argv, env, cwd }))).toEqual([
      { argv: fake.turn.argv, env: { A: "1" }, cwd: fake.turn.workdir },
    ]);
    expect(fake.sent).toEqual([whole(fake)]);
    expect(fake.keys).toEqual(["Enter"]);
  });

  test("to a conversation whose harness is gone: it is resumed, also where a start was asked for", async () => {
    const fake = createFakeTerminal();
    begunBefore(fake);
    expect(await driven(fake)).toMatchObject({ kind: "done" });
    expect(fake.opened[0]?.argv).toEqual([
      "claude",
      "--resume",
      fake.turn.sessionId,
      "--plugin-dir",
      "/p",
    ]);
  });

  test("to a harness that waits: nothing is started", async () => {
    const fake = waiting(createFakeTerminal({ mode: "resume" }));
    expect(await driven(fake)).toMatchObject({ kind: "done" });
    expect(fake.opened).toEqual([]);
  });

  test("whose key was lost is sent by a second one", async () => {
    const fake = waiting(createFakeTerminal({ mode: "resume" }));
    fake.lostKeys = 1;
    expect(await driven(fake)).toMatchObject({ kind: "done" });
    expect(fake.keys).toEqual(["Enter", "Enter"]);
    expect(fake.sent).toEqual([whole(fake)]);
  });

  test.each([
    ["empty for ten seconds, although its hook has spoken", 0, 100, () => ""],
    [
      "drawn piece by piece for ten seconds",
      0,
      100,
      (look: number) => "Welcome to the harness".slice(0, 1 + (look % 20)),
    ],
    ["empty for two seconds while the message is written", 2, 22, () => ""],
  ])("to a harness whose screen is %s: it is waited for", async (_what, from, to, drawn) => {
    const fake = createFakeTerminal();
    const { screen } = fake.parts.terminals;
    let looks = 0;
    fake.parts.terminals.screen = async (name) =>
      looks++ >= from && looks <= to ? [drawn(looks)] : screen(name);
    expect(await driven(fake)).toMatchObject({ kind: "done" });
    expect(looks).toBeGreaterThan(to);
    expect([fake.sent, fake.keys]).toEqual([[whole(fake)], ["Enter"]]);
  });

  test("that stands written already is only sent; half of it is made whole", async () => {
    for (const written of [1, 2]) {
      const fake = waiting(createFakeTerminal({ mode: "resume" }));
      await fake.parts.terminals.paste("", leadOf(fake.turn.receipt));
      if (written === 2) await fake.parts.terminals.paste("", fake.turn.prompt);
      expect(await driven(fake)).toMatchObject({ kind: "done" });
      expect(fake.sent).toEqual([whole(fake)]);
    }
  });

  test("that is on record already is waited for, and nothing is typed", async () => {
    const fake = waiting(createFakeTerminal({ mode: "resume" }));
    fake.onMessage(whole(fake));
    expect(await driven(fake)).toMatchObject({ kind: "done" });
    expect(fake.keys).toEqual([]);
  });

  test("that was sent and never got on record: nothing is told, and that the key was pressed is", async () => {
    const fake = waiting(createFakeTerminal({ mode: "resume" }));
    fake.onMessage = () => {};
    expect(await driven(fake)).toMatchObject({ kind: "unclear" });
    expect(fake.printed.map((line): unknown => JSON.parse(line))).toEqual([
      { type: "command_lifecycle", command_uuid: fake.turn.receipt, state: "pressed" },
    ]);
    expect(fake.sent).toHaveLength(1);
  });

  test("whose driver failed after the key was pressed is not taken for refused, which would send it again", () => {
    const pressed = [
      JSON.stringify({ type: "command_lifecycle", command_uuid: "r", state: "pressed" }),
    ];
    const end: ChildEnd = { code: 2, signal: null, stopped: null };
    expect(
      outcome({
        receipt: "r",
        end,
        stdout: pressed,
        stderr: "the terminal is gone (LOOP_E_TERMINAL)",
      }),
    ).toMatchObject({ kind: "unclear" });
    expect(
      outcome({ receipt: "r", end, stdout: [], stderr: "the terminal is gone (LOOP_E_TERMINAL)" }),
    ).toMatchObject({ kind: "bad-invocation" });
    expect(
      outcome({
        receipt: "r",
        end,
        stdout: [],
        stderr: "tmux was not found (LOOP_E_TMUX_MISSING)",
      }),
    ).toMatchObject({ kind: "not-installed" });
  });

  test("runs under its turn: hooks find it while it runs, and no more afterwards", async () => {
    const fake = createFakeTerminal();
    const file = path.join(fake.turn.folder, "turn.json");
    const [answer, seen] = [fake.onMessage, [] as string[]];
    fake.onMessage = (message) => {
      seen.push(readFileSync(file, "utf8"));
      answer(message);
    };
    await driven(fake);
    expect(seen.map((text): unknown => JSON.parse(text))).toEqual([
      { turn: "7", turnDir: fake.turn.turnDir, receipt: fake.turn.receipt },
    ]);
    expect(existsSync(file)).toBe(false);
  });
});

describe("a message of ours under an older receipt that was never sent", () => {
  const older = leadOf("cccccccc-1111-4111-8111-111111111111");
  const left = async (written: 1 | 2): Promise<FakeTerminal> => {
    const fake = waiting(createFakeTerminal({ mode: "resume" }));
    begunBefore(fake);
    await fake.parts.terminals.paste("", older);
    if (written === 2) await fake.parts.terminals.paste("", fake.turn.prompt);
    return fake;
  };

  test.each([1, 2] as const)(
    "goes with the harness, and the conversation is resumed: only the new one is sent (%i of its two pastes)",
    async (written) => {
      const fake = await left(written);
      expect(await driven(fake)).toMatchObject({ kind: "done" });
      expect(fake.opened.map(({ argv }) => argv.slice(0, 3))).toEqual([
        ["claude", "--resume", fake.turn.sessionId],
      ]);
      expect(fake.sent).toEqual([whole(fake)]);
    },
  );

  test("stays where somebody wrote behind it, or sits in front of it", async () => {
    for (const [input, people, detail] of [
      [`${older} why that?`, 0, "somebody's text stands in its input line"],
      [older, 1, "somebody is attached to it"],
    ] as const) {
      const fake = await left(1);
      Object.assign(fake, { input, people });
      expect(await driven(fake)).toEqual({ kind: "session-busy", detail });
      expect([fake.sent, fake.keys, fake.alive, fake.opened, fake.input]).toEqual([
        [],
        [],
        true,
        [],
        input,
      ]);
    }
  });

  test("that comes back with the conversation is not cleared for ever", async () => {
    const fake = await left(1);
    const { open } = fake.parts.terminals;
    fake.parts.terminals.open = async (plan) => {
      const opened = await open(plan);
      fake.input = older;
      return opened;
    };
    expect(await driven(fake)).toEqual({
      kind: "session-busy",
      detail: "an older message of loop stands in its input line",
    });
    expect([fake.opened.length, fake.sent]).toEqual([1, []]);
  });
});

describe("nothing is typed", () => {
  test.each([
    [
      "over somebody's text",
      (fake: FakeTerminal) => void (fake.input = "half a thought"),
      "somebody's text stands in its input line",
    ],
    [
      "while somebody is attached",
      (fake: FakeTerminal) => void (fake.people = 1),
      "somebody is attached to it",
    ],
    [
      "into a dialog",
      (fake: FakeTerminal) => void (fake.dialog = ["Select a model"]),
      'it shows "Select a model"',
    ],
    [
      "where nothing is ever shown",
      (fake: FakeTerminal) => void (fake.dialog = [""]),
      "it did not get ready",
    ],
    [
      "behind something that a person began, which goes on",
      (fake: FakeTerminal) => void (fake.status = "busy"),
      "it works on something else",
    ],
    [
      "into a terminal that is not ours",
      (fake: FakeTerminal) => void (fake.ours = false),
      "a terminal of that name is not loop's",
    ],
  ])("%s: the lane waits", async (_what, disturb, detail) => {
    const fake = waiting(createFakeTerminal({ mode: "resume" }));
    disturb(fake);
    expect(await driven(fake)).toEqual({ kind: "session-busy", detail });
    expect([fake.sent, fake.keys, fake.alive]).toEqual([[], [], true]);
  });

  test("when it asks for trust: it is ended", async () => {
    const fake = createFakeTerminal();
    fake.dialog = ["Yes, I trust this folder"];
    expect(await driven(fake)).toEqual({ kind: "untrusted" });
    expect(fake.alive).toBe(false);
  });

  test("into a conversation that has no record", async () => {
    const fake = createFakeTerminal({ mode: "resume" });
    expect(await driven(fake)).toEqual({ kind: "session-not-found" });
    expect(fake.opened).toEqual([]);
  });
});

describe("the end of a turn", () => {
  const ask = (fake: FakeTerminal, message: string): void =>
    fake.record({
      type: "user",
      uuid: "u1",
      promptId: "p1",
      message: { role: "user", content: message },
    });

  test("a Stop event of another message ends nothing", async () => {
    const fake = waiting(createFakeTerminal({ mode: "resume" }));
    fake.onMessage = (message) => {
      ask(fake, message);
      fake.event("stop", "p0");
      fake.status = "busy";
    };
    fake.stopAfter = 60_000;
    expect(await driven(fake)).toMatchObject({ kind: "killed" });
  });

  test("a Stop event while the harness works on, as after a gate that sent it back, is not the end", async () => {
    const fake = waiting(createFakeTerminal({ mode: "resume" }));
    const answer = fake.onMessage;
    fake.onMessage = (message) => {
      fake.status = "busy";
      answer(message);
    };
    fake.stopAfter = 60_000;
    expect(await driven(fake)).toMatchObject({ kind: "killed" });
  });

  test("without its hook, the transcript's own last row is the end, a moment later", async () => {
    const fake = waiting(createFakeTerminal({ mode: "resume" }));
    fake.onMessage = (message) => {
      ask(fake, message);
      fake.record({ type: "system", subtype: "turn_duration", uuid: "d1", parentUuid: "u1" });
    };
    expect(await driven(fake)).toMatchObject({ kind: "done" });
  });

  test("denied permissions of the turn are listed, those of others are not", async () => {
    const fake = waiting(createFakeTerminal({ mode: "resume" }));
    fake.onMessage = (message) => {
      ask(fake, message);
      fake.event("permission", "p0");
      fake.event("permission", "p1");
      fake.event("stop", "p1");
    };
    expect(await driven(fake)).toMatchObject({ kind: "done", denials: [{ tool: "unknown" }] });
  });

  test("an error that stands last is told with its status", async () => {
    const fake = waiting(createFakeTerminal({ mode: "resume" }));
    fake.onMessage = (message) => {
      ask(fake, message);
      fake.record({
        type: "assistant",
        uuid: "e1",
        parentUuid: "u1",
        isApiErrorMessage: true,
        apiErrorStatus: 529,
        message: { content: [{ type: "text", text: "API Error: 529" }] },
      });
      fake.event("stop-failure", "p1");
    };
    expect(await driven(fake)).toMatchObject({ kind: "transient", status: 529 });
  });

  test("a message that the harness took back leaves nothing in its input line", async () => {
    const fake = waiting(createFakeTerminal({ mode: "resume" }));
    fake.onMessage = (message) => {
      ask(fake, message);
      fake.input = message;
    };
    expect(await driven(fake)).toMatchObject({ kind: "unclear" });
    expect(fake.alive).toBe(false);
  });

  test("a dialog that nobody can answer is called off; one in front of a person is not", async () => {
    for (const people of [0, 1]) {
      const fake = waiting(createFakeTerminal({ mode: "resume" }));
      fake.onMessage = (message) => {
        ask(fake, message);
        Object.assign(fake, { status: "waiting", people });
      };
      fake.stopAfter = 20_000;
      await driven(fake);
      expect(fake.keys).toEqual(people === 0 ? ["Enter", "Escape"] : ["Enter"]);
    }
  });

  test("told to end, the driver ends the harness and says so by its exit code", async () => {
    const fake = waiting(createFakeTerminal({ mode: "resume" }));
    fake.onMessage = (message) => {
      ask(fake, message);
      fake.status = "busy";
    };
    fake.stopAfter = 5_000;
    expect(await driveTurn(fake.turn, fake.parts)).toBe(143);
    expect(fake.alive).toBe(false);
  });
});
