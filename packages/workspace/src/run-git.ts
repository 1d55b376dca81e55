import { Readable } from "node:stream";
import type { GitPlan } from "@loopwork/core/ports";
import { simpleGit, type SimpleGitOptions } from "simple-git";

/**
 * What simple-git would refuse on its own, to protect from words that came from outside. Here no
 * such word is ever an option: hardening sets some of these keys to fixed values, `clean-config`
 * takes others out, and the user's own `GIT_CONFIG_*` may hold any.
 */
const ours = [
  "Alias",
  "AskPass",
  "CommandBinaries",
  "ConfigEnvCount",
  "ConfigPaths",
  "CredentialHelper",
  "DiffExternal",
  "DiffTextConv",
  "Editor",
  "Filter",
  "FsMonitor",
  "GitProxy",
  "GpgProgram",
  "HooksPath",
  "Include",
  "MergeDriver",
  "Pack",
  "Pager",
  "ProtocolOverride",
  "SshCommand",
  "Submodule",
  "TemplateDir",
  "UrlRewrite",
] as const;

/** Runs git with the library, as a child of this very process. */
export async function runGit({
  directory,
  config,
  env,
  args,
  input,
  minutes,
  answers,
}: GitPlan): Promise<Uint8Array> {
  const printed: Buffer[] = [];
  const abort = AbortSignal.timeout(minutes * 60_000);
  const streams: NodeJS.ReadableStream[] = [];
  const dropAll = (): void => streams.forEach(drop);
  const options: Partial<SimpleGitOptions> = {
    baseDir: directory,
    config: [...config],
    allowEnvironment: Object.keys(env),
    unsafe: Object.fromEntries(ours.map((name) => [`allowUnsafe${name}`, true])),
    abort,
    // The library would take what has come 50 ms after the exit for all of it, which is too little
    // on a busy machine.
    completion: { onClose: true, onExit: false },
    errors: (error, { exitCode }) => error ?? unexpected(exitCode, answers),
    ...(input === null ? {} : { input: () => Buffer.from(input) }),
  };
  const collect = (
    _command: string,
    stdout: NodeJS.ReadableStream,
    stderr: NodeJS.ReadableStream,
  ): void => {
    stdout.on("data", (piece: Buffer) => void printed.push(piece));
    streams.push(stdout, stderr);
    endPromptly(stdout);
    letGo(stdout, stderr);
  };
  abort.addEventListener("abort", dropAll);
  try {
    await simpleGit(options)
      .env({ ...env })
      .outputHandler(collect)
      .raw([...args]);
  } finally {
    // A signal that somebody listens to is kept until its time is over.
    abort.removeEventListener("abort", dropAll);
  }
  return Buffer.concat(printed);
}

/** The library takes for success whatever wrote no complaint, a git that was killed as well. */
function unexpected(exitCode: number, answers: readonly number[]): Error | undefined {
  if ([0, ...answers].includes(exitCode)) return undefined;
  return new Error(
    Number.isInteger(exitCode) ? `it ended with ${exitCode} and said nothing` : "it was killed",
  );
}

/** How long complaints may still come once all output has, in milliseconds. */
const lingerMs = 2_000;

/**
 * Complaints are not waited for when something that outlives git holds their stream, as an ssh that
 * keeps its connection does. What git prints is waited for until its time is over.
 */
function letGo(stdout: NodeJS.ReadableStream, stderr: NodeJS.ReadableStream): void {
  stdout.once("end", () => {
    const timer = setTimeout(() => drop(stderr), lingerMs).unref();
    stderr.once("close", () => clearTimeout(timer));
  });
}

/** The streams of a child's are readable ones; the library's types do not say so. */
function drop(stream: NodeJS.ReadableStream): void {
  if (stream instanceof Readable) stream.destroy();
}

/**
 * The library waits another 50 ms for a command that printed nothing, lest output come after the
 * exit; it waits for the end of both streams as well, so nothing can. An empty piece of output
 * spares that wait: most of our commands are silent.
 */
function endPromptly(stdout: NodeJS.ReadableStream): void {
  setImmediate(() => stdout.emit("data", Buffer.alloc(0)));
}
