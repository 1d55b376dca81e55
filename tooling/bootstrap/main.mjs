#!/usr/bin/env node
// The set-up that `npm start` and `npm test` do by themselves. No dependencies, and no syntax newer
// than Node 20: it runs before anything is installed. It installs the locked tools and the pinned
// Node, then goes on with those.
//   main.mjs install | build | check | demo [ARGS] | run FILE [ARGS]
// LOOP_CI_NODE names another Node that everything runs on instead of the pinned one, for as long as
// it is set.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const bin = join(root, "node_modules", ".bin");
const stamp = join(root, "node_modules", ".bootstrap-stamp");
const lowestNode = 20;
const npx = process.platform === "win32" ? "npx.cmd" : "npx";
const fromSource = "--conditions=@loopwork/source";

await main();

async function main() {
  const [task = "install", ...args] = process.argv.slice(2);
  if (!["install", "build", "check", "demo", "run"].includes(task))
    stop(`there is no task ${JSON.stringify(task)}: use install, build, check, demo or run`);
  if (Number(process.versions.node.split(".")[0]) < lowestNode)
    stop(
      `Node ${lowestNode} or newer is needed for the set-up, and this is ${process.versions.node}: install a newer one from https://nodejs.org`,
    );
  if (spawnSync("git", ["--version"], { stdio: "ignore" }).status !== 0)
    stop("git is needed, and could not be started: install it first");
  install();
  chooseNode(process.env.LOOP_CI_NODE);
  if (task === "install") return;
  const pinned = existsSync(join(bin, "node")) ? join(bin, "node") : process.execPath;
  if (task === "run") return handOver(pinned, args);
  say("building (a few seconds the first time)");
  if (
    !finish(npx, [
      ...pnpm(),
      "exec",
      "turbo",
      "run",
      "build",
      "--output-logs=errors-only",
      "--log-order=grouped",
    ])
  )
    stop("the build failed: see above");
  if (task === "build") return;
  if (task === "demo")
    return handOver(pinned, [fromSource, join(root, "tooling", "demo", "src", "main.ts"), ...args]);
  // Through pnpm, because some checks need pnpm itself and find it only in the path that this gives
  // them.
  return handOver(npx, [
    ...pnpm(),
    "exec",
    "node",
    fromSource,
    join(root, "tooling", "check", "src", "main.ts"),
    ...args,
  ]);
}

/** Installs what the lockfile names, unless that was done for this very lockfile before. */
function install() {
  const want = createHash("sha256")
    .update(readFileSync(join(root, "pnpm-lock.yaml")))
    .update(readFileSync(join(root, "pnpm-workspace.yaml")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === want) return;
  say(
    "installing the locked tools and packages (half a minute the first time; no scripts of packages are run)",
  );
  const started = Date.now();
  if (!finish(npx, [...pnpm(), "install", "--frozen-lockfile", "--reporter=append-only"]))
    stop(
      "the packages could not be installed: see above. If the npm registry could not be reached, run the same command again later",
    );
  say(`installed in ${Math.round((Date.now() - started) / 1000)} s`);
  writeFileSync(stamp, want);
}

/**
 * Puts the Node of LOOP_CI_NODE in the place of the pinned one, where every program finds it, or
 * the pinned one back.
 */
function chooseNode(other) {
  const [node, pinned] = [join(bin, "node"), join(bin, "node-pinned")];
  if (other !== undefined && spawnSync(other, ["--version"], { stdio: "ignore" }).status !== 0)
    stop(`LOOP_CI_NODE is no Node that runs: ${other}`);
  if (other !== undefined && existsSync(node) && !existsSync(pinned)) renameSync(node, pinned);
  if (other === undefined && !existsSync(pinned)) return;
  rmSync(node, { force: true });
  if (other === undefined) renameSync(pinned, node);
  else symlinkSync(other, node);
}

/** pnpm in the exact version that the repository pins, without installing it for good. */
function pnpm() {
  return ["--yes", JSON.parse(readFileSync(join(root, "package.json"), "utf8")).packageManager];
}

/**
 * Runs a program to its end and says whether it did well. Its output is shown only when it did not.
 */
function finish(program, args) {
  const done = spawnSync(program, args, {
    cwd: root,
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (done.error) stop(`${program} could not be started: ${done.error.message}`);
  if (done.status !== 0) process.stderr.write(done.stdout);
  return done.status === 0;
}

/**
 * The last step: the program has the terminal, gets the signals, and its exit code becomes ours.
 */
function handOver(program, args) {
  const child = spawn(program, args, { cwd: root, env: environment(), stdio: "inherit" });
  // A terminal sends Ctrl-C to the child as well; passing it on would count as a second one, which
  // forces.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on("error", (error) => stop(`${program} could not be started: ${error.message}`));
    child.on("exit", (code, signal) => {
      process.exitCode = code ?? (signal === "SIGINT" ? 130 : 1);
      resolve();
    });
  });
}

/**
 * npm tells its children about itself in variables that would steer pnpm, and those go. Where
 * packages come from, through which proxy, and with whose certificate, stays. What Node compiles is
 * kept: tests start our programs from their sources, often.
 */
function environment() {
  const stays =
    /^npm_config_(@.*:registry|\/\/.*|registry|cache|userconfig|globalconfig|ca|cafile|cert|certfile|key|keyfile|proxy|https_?proxy|https-proxy|no_?proxy|strict_ssl|strict-ssl|fetch_.*)$/i;
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || stays.test(name)),
  );
  const compiled =
    process.env.NODE_COMPILE_CACHE ?? join(root, "node_modules", ".cache", "compiled");
  return {
    ...env,
    NODE_COMPILE_CACHE: compiled,
    npm_config_loglevel: "error",
    PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`,
    TURBO_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
  };
}

function say(text) {
  process.stderr.write(`loop set-up: ${text}\n`);
}

function stop(text) {
  say(text);
  process.exit(2);
}
