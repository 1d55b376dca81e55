import { randomUUID } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LoopError, type Terminal, type TerminalPlan, type Terminals } from "@loopwork/core/ports";
import { isErrno } from "../processes/process-identity.ts";
import { launchScript } from "./launch-script.ts";
import { ensureOwnFolder, type TerminalPlace } from "./place.ts";
import { type Ran, type RunTmux, runTmux } from "./run-tmux.ts";
import { configuration, paneOf, plans, type TmuxPlan } from "./tmux-plan.ts";

const defaultGraceMs = 5_000;
const lookEveryMs = 50;
const mostTries = 3;
/** A server that was stopped, or cannot go on, says nothing at all; everybody would wait for it. */
const defaultAnswerMs = 20_000;
const usualPath = "/usr/local/bin:/usr/bin:/bin";

/**
 * Terminals of a tmux server of our own, on a socket of our own: the person's server and its
 * configuration are never touched (ADR 0019).
 *
 *     none ──open──▶ running ──program ends, stop──▶ dead, screen kept ──open──▶ running
 *                      └───────────────── end ─────────────┴──▶ none
 *
 * A session without our mark is somebody else's: `find` says so, and every other call refuses.
 */
export function createTmux(
  place: TerminalPlace,
  path: string = usualPath,
  answersWithinMs: number = defaultAnswerMs,
  run: RunTmux = runTmux,
): Terminals {
  async function tmux(plan: TmuxPlan, input = ""): Promise<Ran> {
    const ran = await run({
      args: ["-S", place.socket, "-f", join(place.folder, "tmux.conf"), ...plan],
      input,
      path,
      answersWithinMs,
    }).catch((error: unknown) => {
      throw isErrno(error, "ENOENT")
        ? new LoopError(
            "LOOP_E_TMUX_MISSING",
            "tmux was not found",
            "install tmux, or set routing.runner: headless",
          )
        : error;
    });
    if (ran === "silent")
      throw new LoopError(
        "LOOP_E_TERMINAL",
        `the terminals' server has not answered for ${answersWithinMs / 1000} s`,
        `look at it, or end it with all its terminals: the process of tmux -S ${place.socket}`,
      );
    return ran;
  }
  /**
   * Questions are asked again when a signal to our group met the client before it was in its own.
   */
  const ask = async (plan: TmuxPlan): Promise<Ran> => {
    for (let tries = 1; ; tries += 1) {
      const ran = await tmux(plan);
      if (ran.signal === null || tries === mostTries) return ran;
    }
  };
  const owner = place.folder;

  async function find(name: string): Promise<Terminal | null> {
    if (!existsSync(place.socket)) return null;
    ensureOwnFolder(dirname(place.socket)); // Whoever could put a socket there would be typed our messages.
    const { code, stdout, stderr } = await ask(plans.look(name));
    if (code !== 0 && saysNone(stderr)) return null;
    const [first = "", ...clients] = stdout.split("\n");
    const pane = paneOf(first);
    if (code !== 0 || pane === null)
      throw new LoopError(
        "LOOP_E_TERMINAL",
        `tmux could not be asked for the terminal ${name}: ${stderr.trim()}`,
        `look at it with: tmux -S ${place.socket} list-sessions`,
      );
    return {
      name,
      ours: pane.owner === owner,
      pid: pane.pid,
      alive: pane.alive,
      exitCode: pane.exitCode,
      people: clients.filter((line) => line === "0").length,
    };
  }

  async function own(name: string): Promise<Terminal> {
    const found = await find(name);
    if (found === null)
      throw new LoopError(
        "LOOP_E_TERMINAL",
        `the terminal ${name} is gone`,
        "the next turn starts it again",
      );
    if (!found.ours)
      throw new LoopError(
        "LOOP_E_TERMINAL",
        `the terminal ${name} was not made by loop`,
        `end it or rename it: tmux -S ${place.socket} kill-session -t ${name}`,
      );
    return found;
  }

  async function open(plan: TerminalPlan): Promise<Terminal> {
    const present = (await find(plan.name)) === null ? null : await own(plan.name);
    if (present?.alive === true) return present;
    const script = writeScript(plan);
    const { code, stderr } = await tmux(
      present === null ? plans.create(plan, script, owner) : plans.respawn(plan, script),
    );
    if (code !== 0) rmSync(script, { force: true });
    // Somebody else of ours opened it meanwhile.
    const raced = code === 0 ? null : await find(plan.name);
    if (raced?.ours === true && raced.alive) return raced;
    if (code !== 0)
      throw new LoopError(
        "LOOP_E_TERMINAL",
        `tmux could not start a terminal: ${stderr.trim()}`,
        "run `loop doctor`; the socket is " + place.socket,
      );
    return own(plan.name);
  }

  function writeScript(plan: TerminalPlan): string {
    for (const folder of [place.folder, dirname(place.socket)]) ensureOwnFolder(folder);
    writeFileSync(join(place.folder, "tmux.conf"), configuration, { mode: 0o600 });
    const script = join(place.folder, `launch-${randomUUID()}`);
    writeFileSync(script, launchScript(plan.argv, plan.env, plan.cwd), { mode: 0o600 });
    return script;
  }

  /**
   * The program is asked to end, then made to. The whole group goes: what it left running would
   * write on.
   */
  async function stop(name: string, graceMs: number = defaultGraceMs): Promise<void> {
    const { pid, alive } = await own(name);
    if (!alive) return;
    signalGroup(pid, "SIGTERM");
    const until = performance.now() + graceMs;
    while ((await find(name))?.alive === true && performance.now() < until)
      await sleep(lookEveryMs);
    signalGroup(pid, "SIGKILL");
    while ((await find(name))?.alive === true) await sleep(lookEveryMs);
  }

  return {
    find,
    open,
    stop,
    screen: async (name) => (await ask(plans.screen((await own(name)).name))).stdout.split("\n"),
    async paste(name, text) {
      await own(name);
      const buffer = `loop-${randomUUID()}`;
      await tmux(plans.load(buffer), pasteable(text));
      await tmux(plans.paste(name, buffer));
    },
    async press(name, key) {
      await own(name);
      await tmux(plans.press(name, key));
    },
    async end(name, graceMs) {
      if ((await find(name))?.ours !== true) return false;
      await stop(name, graceMs);
      await tmux(plans.kill(name));
      return true;
    },
    attachCommand: (name, readOnly) => [
      "tmux",
      "-S",
      place.socket,
      ...plans.attach(name, readOnly),
    ],
  };
}

/**
 * Control characters would be keys, and ESC could end the paste from inside. Line ends and tabs
 * stay.
 */
export function pasteable(text: string): string {
  return Array.from(text.replaceAll("\r\n", "\n"))
    .filter((char) => char === "\n" || char === "\t" || !isControl(char.charCodeAt(0)))
    .join("");
}

/**
 * The server's words for a session that is not there, and the client's for a server that is not.
 */
function saysNone(stderr: string): boolean {
  return [
    "can't find",
    "no server running",
    "error connecting",
    "no current target",
    "server exited",
    "lost server",
  ].some((words) => stderr.includes(words));
}

function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}

function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-groupId, signal);
  } catch {
    // The group is gone already: nothing is left to signal.
  }
}
