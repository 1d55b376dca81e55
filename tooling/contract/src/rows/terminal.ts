import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { untilBusy, withReader } from "../terminal-people.ts";
import { inTerminal, saidIn, settleIn, type TerminalScene } from "../terminal-scene.ts";
import { has, holds, type Row, row, same } from "../row.ts";
import type { Scene } from "../scene.ts";
import { textOf } from "../seen.ts";
import { wholeStory } from "./service.ts";
import { subscription } from "../stages/harness-a.ts";

/**
 * Turns in a terminal to which people can attach (`routing.runner: tmux`); these rows need tmux.
 */
export const terminalRows: readonly Row[] = [
  row(
    "HA-terminal-01",
    "T04: started in a terminal, a checkout that we trusted shows no question about trust; without us it does",
    async (scene) => {
      await inTerminal(
        scene,
        async (terminal) => {
          same("untrusted", (await terminal.turn(lines("hello"))).outcome, { kind: "untrusted" });
          same("said", saidIn(scene), []);
          await trust(scene);
          has("trusted", (await terminal.turn(lines("hello"))).outcome, { kind: "done" });
          holds(
            "no question",
            !(await terminal.text()).includes("trust this folder"),
            await terminal.text(),
          );
        },
        welcome,
      );
    },
  ),
  row(
    "HA-terminal-02",
    "a message that is pasted is received once, whole, known by its receipt, and its turn ends by the Stop event",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        const text = lines(
          "{{stub:bash git --version}}",
          "  blanks before, `ticks`, $dollars and 日本",
          "/no-command",
          "!no-shell",
          "x".repeat(3000),
        );
        const ended = await terminal.turn(text);
        same("outcome", withoutTime(ended.outcome), { kind: "done", denials: [], usd: 0 });
        same("exit code", ended.end.code, 0);
        await onRecord(scene, 1);
        const said = saidIn(scene);
        holds("first words", said[0]?.startsWith(`Loop turn ${ended.receipt}:`) === true, said[0]);
        holds("whole", said[0]?.includes(text) === true, said[0]);
        holds(
          "by the hook",
          textOf(eventsOf(scene)).includes('"event":"stop"'),
          textOf(eventsOf(scene)),
        );
        has("evidence", await ended.evidence(), { kind: "done" });
      });
    },
  ),
  row(
    "HA-terminal-03",
    "the next turn goes to the same process and the same conversation",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        const first = await terminal.turn(lines("one"));
        const pid = (await terminal.terminals.find(terminal.name))?.pid;
        has("second", (await terminal.turn(lines("two"), { mode: "resume" })).outcome, {
          kind: "done",
        });
        same("process", (await terminal.terminals.find(terminal.name))?.pid, pid);
        await asksBoth(scene);
        has("evidence of the first", await first.evidence(), { kind: "done" });
      });
    },
  ),
  row(
    "HA-terminal-04",
    "X04: a harness that died between turns is started again in its terminal, in the same conversation",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        await terminal.turn(lines("one"));
        await onRecord(scene, 1);
        process.kill((await alive(terminal)).pid, "SIGKILL");
        await until(
          "the harness is dead",
          async () => (await terminal.terminals.find(terminal.name))?.alive === false,
        );
        has("second", (await terminal.turn(lines("two"), { mode: "resume" })).outcome, {
          kind: "done",
        });
        await asksBoth(scene);
      });
    },
  ),
  row(
    "HA-terminal-05",
    "X04: when the whole terminal server was killed, the next turn makes a new one and resumes",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        await terminal.turn(lines("one"));
        await onRecord(scene, 1);
        terminal.tmux("kill-server");
        same("gone", await terminal.terminals.find(terminal.name), null);
        has("second", (await terminal.turn(lines("two"), { mode: "resume" })).outcome, {
          kind: "done",
        });
        await asksBoth(scene);
      });
    },
  ),
  row(
    "HA-terminal-06",
    "X01: a harness that dies in the middle of a turn ends it; it was interrupted and goes on under a new receipt",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        const begun = await started(terminal, lines("{{stub:hang 60000}}"));
        process.kill((await alive(terminal)).pid, "SIGKILL");
        const ended = await begun.finish();
        has("outcome", ended.outcome, { kind: "unclear" });
        same("evidence", await ended.evidence(), { kind: "interrupted" });
        has("continued", (await terminal.turn(lines("go on"), { mode: "resume" })).outcome, {
          kind: "done",
        });
      });
    },
  ),
  row(
    "HA-terminal-07",
    "X05: a driver that is killed leaves the harness at work; the same receipt is waited for and not said again",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        const begun = await started(terminal, lines("{{stub:hang 6000}}"));
        const killed = await begun.kill("SIGKILL");
        same("evidence", await killed.evidence(), { kind: "asked-only" });
        const again = await terminal.turn(lines("{{stub:hang 6000}}"), {
          mode: "resume",
          receipt: killed.receipt,
        });
        has("outcome", again.outcome, { kind: "done" });
        await onRecord(scene, 1);
      });
    },
  ),
  row(
    "HA-terminal-08",
    "X05: a message that was written and not sent is found in the input line, and sent once",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        await terminal.turn(lines("one"));
        const [receipt, prompt] = [randomUUID(), lines("two")];
        await terminal.terminals.paste(
          terminal.name,
          `Loop turn ${receipt}: do what the message below asks. It comes from the loop service.`,
        );
        await terminal.terminals.paste(terminal.name, prompt);
        await terminal.shows("[Pasted text");
        has("outcome", (await terminal.turn(prompt, { mode: "resume", receipt })).outcome, {
          kind: "done",
        });
        await onRecord(scene, 2);
        holds("once", saidIn(scene)[1]?.split(prompt).length === 2, saidIn(scene)[1]);
      });
    },
  ),
  row(
    "HA-terminal-09",
    "text that somebody left in the input line stays there; the turn waits and nothing is sent",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        await terminal.turn(lines("one"));
        await terminal.terminals.paste(terminal.name, "half a thought");
        await terminal.shows("half a thought");
        const ended = await terminal.turn(lines("two"), { mode: "resume" });
        same("outcome", ended.outcome, {
          kind: "session-busy",
          detail: "somebody's text stands in its input line",
        });
        same("evidence", await ended.evidence(), { kind: "absent", sessionExists: true });
        await onRecord(scene, 1);
        await terminal.shows("half a thought");
      });
    },
  ),
  row(
    "HA-terminal-10",
    "X03: without a login the harness says so, and the turn with it",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        const ended = await terminal.turn(lines("hello"), { env: { ANTHROPIC_API_KEY: "" } });
        has("outcome", ended.outcome, { kind: "login" });
        same("evidence", (await ended.evidence()).kind, "api-error");
      });
    },
  ),
  row(
    "HA-terminal-11",
    "guarded: what would ask is denied without a dialog, reaches the model as denied, and is listed",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        const ended = await terminal.turn(lines("{{stub:bash curl --version}}"));
        has("outcome", ended.outcome, {
          kind: "done",
          denials: [{ tool: "Bash", input: "curl --version" }],
        });
        has(
          "allowed",
          (await terminal.turn(lines("{{stub:bash git --version}}"), { mode: "resume" })).outcome,
          { kind: "done", denials: [] },
        );
      });
    },
  ),
  row(
    "HA-terminal-12",
    "an error of the model's interface is read from the transcript, and what the harness then proposes is nobody's text",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        const ended = await terminal.turn(lines("{{stub:error 529 overloaded_error}}"), {
          env: { CLAUDE_CODE_MAX_RETRIES: "0" },
        });
        has("outcome", ended.outcome, { kind: "transient", status: 529 });
        same("evidence", (await ended.evidence()).kind, "api-error");
        has("next", (await terminal.turn(lines("two"), { mode: "resume" })).outcome, {
          kind: "done",
        });
      });
    },
  ),
  row("HA-terminal-13", "X03: a usage limit says until when", async (scene) => {
    await inTerminal(scene, async (terminal) => {
      const ended = await terminal.turn(lines("{{stub:limit five_hour 1900000000}}"), subscription);
      same("outcome", ended.outcome, {
        kind: "usage-limit",
        until: 1_900_000_000_000,
        limit: "five_hour",
      });
    });
  }),
  row(
    "HA-terminal-14",
    "X01: a driver that is told to end ends the harness with its turn, and the conversation goes on later",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        const begun = await started(terminal, lines("{{stub:hang 60000}}"));
        const ended = await begun.kill("SIGTERM");
        has("outcome", ended.outcome, { kind: "killed" });
        same("alive", (await terminal.terminals.find(terminal.name))?.alive, false);
        same("evidence", await ended.evidence(), { kind: "interrupted" });
        has("next", (await terminal.turn(lines("two"), { mode: "resume" })).outcome, {
          kind: "done",
        });
      });
    },
  ),
  row(
    "HA-terminal-15",
    "Escape by hand in the middle of a turn: interrupted, and never taken for done",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        const begun = await started(terminal, lines("{{stub:bash touch ran && sleep 60}}"));
        await until("the tool runs", async () => existsSync(path.join(scene.workdir, "ran")));
        await terminal.terminals.press(terminal.name, "Escape");
        const ended = await begun.finish();
        has("outcome", ended.outcome, { kind: "unclear" });
        same("evidence", await ended.evidence(), { kind: "interrupted" });
      });
    },
  ),
  row(
    "HA-terminal-16",
    "X04: a terminal of the same name that is not ours is neither typed into nor ended",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        terminal.tmux("new-session", "-d", "-s", terminal.name, "-x", "80", "-y", "20", "cat");
        const ended = await terminal.turn(lines("hello"));
        same("outcome", ended.outcome, {
          kind: "session-busy",
          detail: "a terminal of that name is not loop's",
        });
        same("ended", await terminal.terminals.end(terminal.name), false);
        holds("still there", terminal.tmux("list-sessions").includes(terminal.name));
        same("what it shows", (await terminal.text()).trim(), "");
      });
    },
  ),
  row(
    "HA-terminal-17",
    "X04: while somebody is attached and may type, the turn waits; who only watches is in nobody's way",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        await terminal.turn(lines("one"));
        await withReader(terminal, false, async () => {
          same("attached", (await terminal.turn(lines("two"), { mode: "resume" })).outcome, {
            kind: "session-busy",
            detail: `somebody is attached to it`,
          });
        });
        await withReader(terminal, true, async () => {
          has("watched", (await terminal.turn(lines("two"), { mode: "resume" })).outcome, {
            kind: "done",
          });
        });
        await onRecord(scene, 2);
      });
    },
  ),
  row(
    "HA-terminal-18",
    "the environment is the turn's own: no variable of the parent, nothing secret among the arguments of a process",
    async (scene) => {
      await inTerminal(
        scene,
        async (terminal) => {
          const env = {
            CLAUDE_CODE_MESSAGING_TOKEN: "of-the-parent",
            LOOP_SESSION: "s-1",
            LOOP_TURN: "7",
            SOME_TOKEN: "a-secret-of-the-operator",
          };
          const file = path.join(scene.dir, "tool.env");
          await terminal.turn(
            lines(
              `{{stub:bash env > ${file}; tr '\\0' ' ' < /proc/$PPID/cmdline > ${file}.args; cat /proc/[0-9]*/cmdline | tr '\\0' ' ' > ${file}.all}}`,
            ),
            { env, options: { ...terminal.options, permissions: "bypass" } },
          );
          const seen = textOf(file);
          for (const line of [
            "LOOP_INSTANCE=contract",
            "LOOP_WORK_ITEM=host:octo/demo#1",
            "LOOP_SESSION=s-1",
            `CLAUDE_CODE_SESSION_ID=${scene.sessionId}`,
            "SOME_TOKEN=a-secret-of-the-operator",
          ])
            holds(`has ${line}`, seen.includes(`${line}\n`), seen);
          for (const absent of ["of-the-parent", "LOOP_TURN=", "LOOP_TURN_DIR="])
            holds(`has no ${absent}`, !seen.includes(absent), seen);
          holds(
            "arguments",
            !`${textOf(`${file}.args`)}${textOf(`${file}.all`)}`.includes(
              "a-secret-of-the-operator",
            ),
          );
          same(
            "scripts with the environment",
            readdirSync(path.dirname(path.dirname(eventsOf(scene)))).filter((name) =>
              name.startsWith("launch"),
            ),
            [],
          );
        },
        async () => {
          await settleIn(scene);
          await scene.adapter().trust.prepare({
            workdir: scene.workdir,
            workspaceRoot: null,
            scope: "directory",
            bypass: true,
            env: scene.environment(),
          });
        },
      );
    },
  ),
  row(
    "HA-terminal-19",
    "a tool call stands in the ledger of the turn that made it, though the process outlives turns",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        const first = await terminal.turn(lines("{{stub:bash git --version}}"));
        const second = await terminal.turn(lines("{{stub:bash git --version}}"), {
          mode: "resume",
        });
        const receipts = textOf(path.join(scene.turnDir, "tools.jsonl"))
          .trim()
          .split("\n")
          .map((line): unknown => Object(JSON.parse(line)).receipt);
        same("receipts", receipts, [first.receipt, second.receipt]);
      });
    },
  ),
  row(
    "HA-terminal-20",
    "a conversation that is not there is not started under its id",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        same("outcome", (await terminal.turn(lines("hello"), { mode: "resume" })).outcome, {
          kind: "session-not-found",
        });
        same("terminal", await terminal.terminals.find(terminal.name), null);
      });
    },
  ),
  row(
    "HA-terminal-21",
    "Escape before the first reply gives the message back: it is not sent again as it stands there, and nothing of it is left",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        const begun = await started(terminal, lines("{{stub:hang 60000}}"));
        await untilBusy(scene);
        await terminal.terminals.press(terminal.name, "Escape");
        const ended = await begun.finish();
        has("outcome", ended.outcome, { kind: "unclear" });
        same("evidence", await ended.evidence(), { kind: "interrupted" });
        has("next", (await terminal.turn(lines("two"), { mode: "resume" })).outcome, {
          kind: "done",
        });
        await onRecord(scene, 2);
      });
    },
  ),
  row(
    "HA-terminal-22",
    "the whole story in a terminal: issue, start, checkout, session, push, pull request, review, same session again, release",
    async (scene) => {
      await welcome(scene);
      await wholeStory(scene, ["--runner", "tmux"]);
    },
  ),
  row(
    "HA-terminal-23",
    "X05: a message of ours that was never sent, under a receipt that is used no more, is cleared and never said; a word of somebody's behind it keeps it there",
    async (scene) => {
      await inTerminal(scene, async (terminal) => {
        await terminal.turn(lines("one"));
        const left = async (): Promise<void> => {
          await terminal.terminals.paste(
            terminal.name,
            `Loop turn ${randomUUID()}: do what the message below asks. It comes from the loop service.`,
          );
          await terminal.terminals.paste(terminal.name, lines("never sent"));
          await terminal.shows("[Pasted text");
        };
        await left();
        has("outcome", (await terminal.turn(lines("two"), { mode: "resume" })).outcome, {
          kind: "done",
        });
        await asksBoth(scene);
        holds(
          "never said",
          !saidIn(scene).some((words) => words.includes("never sent")),
          saidIn(scene),
        );
        await left();
        await terminal.terminals.paste(terminal.name, " and why");
        await terminal.shows("and why");
        same("theirs", (await terminal.turn(lines("three"), { mode: "resume" })).outcome, {
          kind: "session-busy",
          detail: "somebody's text stands in its input line",
        });
        await terminal.shows("and why");
      });
    },
  ),
];

/** A message of the length of ours: short ones are shown as they are, long ones as a mark. */
function lines(...words: readonly string[]): string {
  return ["Work item: host:octo/demo#1", "Task:", "- of a row", "", ...words, "", "the end"].join(
    "\n",
  );
}

function withoutTime(outcome: object): object {
  return Object.fromEntries(Object.entries(outcome).filter(([name]) => name !== "minutes"));
}

function eventsOf(scene: Scene): string {
  return path.join(scene.dir, "state", "terminals", scene.sessionId, "events.jsonl");
}

async function welcome(scene: Scene): Promise<void> {
  scene.write(
    "config/.claude.json",
    JSON.stringify({
      hasCompletedOnboarding: true,
      customApiKeyResponses: { approved: ["sk-ant-dummy-0000"], rejected: [] },
    }),
  );
}

async function trust(scene: Scene): Promise<void> {
  await scene.adapter().trust.prepare({
    workdir: scene.workdir,
    workspaceRoot: null,
    scope: "directory",
    bypass: false,
    env: scene.environment(),
  });
}

async function started(
  terminal: TerminalScene,
  prompt: string,
): ReturnType<TerminalScene["begin"]> {
  const begun = await terminal.begin(prompt);
  await begun.send();
  await begun.until((_line, signal) => signal?.kind === "accepted");
  return begun;
}

async function alive(terminal: TerminalScene): Promise<{ readonly pid: number }> {
  const found = await terminal.terminals.find(terminal.name);
  if (found === null || !found.alive) throw new Error("no harness runs in the terminal");
  return found;
}

async function until(what: string, fits: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 10_000; !(await fits()); await sleep(50))
    if (performance.now() > end) throw new Error(`${what}: it never was`);
}

/**
 * The model was asked with both messages, so it is one conversation; the fixture's model cannot
 * tell.
 */
async function asksBoth(scene: Scene): Promise<void> {
  const requests = scene.requests();
  if (requests !== null) same("prompts", requests.at(-1)?.prompts, 2);
  await onRecord(scene, 2);
}

/**
 * In a terminal the harness writes its record some 100 ms after the turn's end; so many messages
 * must come to stand there, and no more.
 */
async function onRecord(scene: Scene, messages: number): Promise<void> {
  await until(`${messages} messages are on record`, async () => saidIn(scene).length >= messages);
  await sleep(500); // Time for one too many.
  same("messages", saidIn(scene).length, messages);
}
