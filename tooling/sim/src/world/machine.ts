import type {
  ChildEnd,
  ChildIdentity,
  Lock,
  ProcessPlan,
  RunningChild,
  RunProcess,
} from "@loopwork/core/ports";
import type { Random } from "../random.ts";
import type { Scheduler } from "../scheduler.ts";
import type { Trace } from "../trace.ts";
import type { Life } from "./life.ts";

/** A process of the simulated machine. It outlives the daemon that started it. */
export type Process = {
  readonly identity: ChildIdentity;
  readonly plan: ProcessPlan;
  alive(): boolean;
  /** True until the starter has closed its standard input, or died. */
  inputOpen(): boolean;
  /** Adds a line to its standard output, which is a file. */
  print(line: string): void;
  exit(code: number | null, signal: string | null): void;
};

/** What a program does with its standard input; the machine calls it. */
export type Program = {
  onInput(text: string, process: Process): void;
  onInputClosed(process: Process): void;
  /** Asked to end. It may take its time; whoever asks kills it in the end. */
  onTerm(process: Process): void;
};

/** Processes, files and locks: all that a crash of the daemon leaves behind. */
export type Machine = {
  readonly files: Map<string, string[]>;
  runOf(life: Life): RunProcess;
  locksOf(life: Life): Lock;
  processes(): readonly Process[];
  /** Frees the locks of a life that ended and closes the inputs of its children. */
  lifeEnded(life: Life): void;
  /** The power goes: every process dies. Files stay. */
  powerCut(): void;
};

type Entry = Process & {
  readonly starter: Life;
  stopping: ChildEnd["stopped"];
  closeInput(): void;
  input(text: string): void;
  term(): void;
  readonly gone: Promise<Exit>;
  onChange(call: () => void): void;
};
type Exit = { readonly code: number | null; readonly signal: string | null };

export function createMachine(
  scheduler: Scheduler,
  random: Random,
  trace: Trace,
  program: Program,
  onWatch: (deadlineMs: number) => void,
): Machine {
  const table = new Map<number, Entry>();
  const files = new Map<string, string[]>();
  const held = new Map<string, Life>();
  const spawn = (plan: ProcessPlan, starter: Life): Entry => {
    const pid = 100 + table.size;
    const entry = createEntry(
      { pid, startTime: String(scheduler.now()) },
      plan,
      starter,
      files,
      trace,
      program,
    );
    table.set(pid, entry);
    return entry;
  };
  return {
    files,
    processes: () => [...table.values()],
    runOf: (life) => ({
      spawn: (plan) =>
        life.call(
          "run.spawn",
          async () => (
            onWatch(plan.deadlineMs),
            watch(spawn(plan, life), plan, life, true, files, random, scheduler)
          ),
          () => plan.argv.join(" "),
        ),
      adopt(identity, plan) {
        const entry = table.get(identity.pid);
        if (
          !life.alive() ||
          entry === undefined ||
          entry.identity.startTime !== identity.startTime ||
          !entry.alive()
        )
          return null;
        trace.say(`run.adopt ${identity.pid}`);
        onWatch(plan.deadlineMs);
        return watch(entry, plan, life, false, files, random, scheduler);
      },
    }),
    locksOf: (life) => ({
      acquire: (name) =>
        life.call(`lock ${name}`, async () => {
          const holder = held.get(name);
          if (holder?.alive() === true) return null;
          held.set(name, life);
          return {
            name,
            release: () =>
              life.call(
                `unlock ${name}`,
                async () => void (held.get(name) === life && held.delete(name)),
              ),
          };
        }),
    }),
    lifeEnded(life) {
      for (const entry of table.values())
        if (entry.starter === life && entry.alive()) entry.closeInput();
    },
    powerCut() {
      for (const entry of table.values()) if (entry.alive()) entry.exit(null, "SIGKILL");
    },
  };
}

function createEntry(
  identity: ChildIdentity,
  plan: ProcessPlan,
  starter: Life,
  files: Map<string, string[]>,
  trace: Trace,
  program: Program,
): Entry {
  let [alive, inputOpen] = [true, true];
  const watchers: (() => void)[] = [];
  let resolveGone: (exit: Exit) => void = () => {};
  const gone = new Promise<Exit>((resolve) => (resolveGone = resolve));
  const out = files.get(plan.stdoutFile) ?? [];
  files.set(plan.stdoutFile, out);
  const changed = (): void => {
    for (const call of watchers.splice(0)) call();
  };
  const entry: Entry = {
    identity,
    plan,
    starter,
    gone,
    stopping: null,
    alive: () => alive,
    inputOpen: () => inputOpen,
    onChange: (call) => void watchers.push(call),
    print(line) {
      if (!alive) return;
      out.push(line);
      changed();
    },
    exit(code, signal) {
      if (!alive) return;
      alive = false;
      trace.say(`child ${identity.pid} ends ${String(signal ?? code)}`);
      resolveGone({ code, signal });
      changed();
    },
    input: (text) => void (alive && inputOpen && program.onInput(text, entry)),
    closeInput() {
      if (!alive || !inputOpen) return;
      inputOpen = false;
      program.onInputClosed(entry);
    },
    term: () => void (alive && program.onTerm(entry)),
  };
  return entry;
}

/** A process as the life sees it that started or adopted it. */
function watch(
  entry: Entry,
  plan: Pick<ProcessPlan, "stdoutFile" | "deadlineMs">,
  life: Life,
  own: boolean,
  files: Map<string, string[]>,
  random: Random,
  scheduler: Scheduler,
): RunningChild {
  let stopped: ChildEnd["stopped"] = null;
  const ended = new Promise<ChildEnd>((resolve) => {
    void entry.gone.then(({ code, signal }) => {
      // The daemon notices a little later.
      scheduler.after(
        random.int(0, 100),
        () =>
          void (
            life.alive() &&
            resolve(own ? { code, signal, stopped } : { code: null, signal: null, stopped })
          ),
      );
    });
  });
  const stop: RunningChild["stop"] = async (why, graceMs = 10_000) => {
    stopped ??= why;
    if (!life.alive()) return;
    entry.term();
    const kill = scheduler.after(graceMs, () => entry.exit(null, "SIGKILL"));
    await ended;
    kill();
  };
  const callOff = life.timers.after(plan.deadlineMs, () => void stop("deadline"));
  void ended.then(callOff);
  return {
    identity: entry.identity,
    ended,
    stop,
    endInput: () => void (life.alive() && own && entry.closeInput()),
    write: (text) =>
      life.call(`write to ${entry.identity.pid}`, async () => void (own && entry.input(text))),
    async *lines() {
      const lines = files.get(plan.stdoutFile) ?? [];
      for (let at = 0; ;) {
        const last = !entry.alive();
        const line = lines[at];
        if (line !== undefined) {
          at += 1;
          yield line;
        } else if (last) return;
        else
          await new Promise<void>((resolve) =>
            entry.onChange(() => void (life.alive() && resolve())),
          );
      }
    },
  };
}
