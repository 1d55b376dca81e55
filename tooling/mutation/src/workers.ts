import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Answer, Request } from "./protocol.ts";

/**
 * A child that has the planted sources and every test loaded, and answers one request at a time.
 */
export type Worker = {
  ask(request: Request, patienceMs: number): Promise<Answer | "hung">;
  close(): Promise<void>;
};

export type Load = {
  readonly setup: string;
  readonly sources: readonly string[];
  readonly tests: readonly string[];
  readonly peers: string;
};

/** Resolves when everything is loaded; rejects with the child's own words when that fails. */
export async function startWorker({ setup, sources, tests, peers }: Load): Promise<Worker> {
  const program = fileURLToPath(new URL("worker.ts", import.meta.url));
  const child = fork(program, [setup, ...sources, "--", ...tests], {
    execArgv: [
      "--conditions=@loopwork/source",
      "--disable-warning=ExperimentalWarning",
      "--stack-size=1000",
    ],
    env: { ...process.env, LOOP_MUTATION_PEERS: peers },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let said = "";
  child.stderr?.on("data", (data: Buffer) => (said = `${said}${data.toString()}`.slice(-4_000)));
  const first = await nextAnswer(child, null);
  if (first === "hung" || first.kind !== "ready")
    throw new Error(`the tests could not be loaded: ${said}`);
  return {
    ask: (request, patienceMs) => {
      const answer = nextAnswer(child, patienceMs);
      child.send(request);
      return answer;
    },
    close: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once("exit", () => resolve());
        child.kill("SIGKILL");
      }),
  };
}

/** The next message; "hung" when none comes in time, or never will. */
function nextAnswer(child: ChildProcess, patienceMs: number | null): Promise<Answer | "hung"> {
  return new Promise((resolve) => {
    const end = (answer: Answer | "hung"): void => {
      clearTimeout(timer);
      child.off("message", hear);
      child.off("exit", gone);
      resolve(answer);
    };
    const hear = (message: Answer): void => end(message);
    const gone = (): void => end("hung");
    const timer = patienceMs === null ? undefined : setTimeout(gone, patienceMs);
    child.on("message", hear);
    child.once("exit", gone);
  });
}
