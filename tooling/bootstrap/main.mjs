#!/usr/bin/env node
// The set-up that `npm start` and `npm test` do by themselves. No dependencies, and no syntax newer than Node 20:
// it runs before anything is installed. It installs the locked tools and the pinned Node, then goes on with those.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const bin = join(root, "node_modules", ".bin");
const stamp = join(root, "node_modules", ".bootstrap-stamp");
const lowestNode = 20;
const npx = process.platform === "win32" ? "npx.cmd" : "npx";
/** Output is shown only when the command fails. */
const quiet = { stdio: ["ignore", "pipe", "inherit"] };

main();

function main() {
  const [task = "install", ...args] = process.argv.slice(2);
  if (Number(process.versions.node.split(".")[0]) < lowestNode) stop(`Node ${lowestNode} or newer is needed for the set-up, and this is ${process.versions.node}: install a newer one from https://nodejs.org`);
  install();
  if (task === "install") return;
  const node = existsSync(join(bin, "node")) ? join(bin, "node") : process.execPath;
  if (task === "run") process.exit(run(node, args));
  say("building (a few seconds the first time)");
  if (run(npx, [...pnpm(), "exec", "turbo", "run", "build", "--output-logs=errors-only", "--log-order=grouped"], quiet) !== 0) stop("the build failed: see above");
  if (task === "demo") process.exit(run(node, ["--conditions=@loopwork/source", join(root, "tooling", "demo", "src", "main.ts"), ...args]));
  process.exit(run(npx, [...pnpm(), "exec", "node", "--conditions=@loopwork/source", join(root, "tooling", "check", "src", "main.ts"), ...args]));
}

/** Installs what the lockfile names, unless that was done for this very lockfile before. */
function install() {
  const want = createHash("sha256").update(readFileSync(join(root, "pnpm-lock.yaml"))).update(readFileSync(join(root, "pnpm-workspace.yaml"))).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === want) return;
  say("first run: installing the locked tools and packages (half a minute, no scripts are run)");
  if (run(npx, [...pnpm(), "install", "--frozen-lockfile", "--reporter=append-only"], quiet) !== 0) stop("the packages could not be installed: is the npm registry reachable? Run the same command again to go on");
  writeFileSync(stamp, want);
}

/** pnpm in the exact version that the repository pins, without installing it for good. */
function pnpm() {
  return ["--yes", JSON.parse(readFileSync(join(root, "package.json"), "utf8")).packageManager];
}

function run(program, args, options = { stdio: "inherit" }) {
  const done = spawnSync(program, args, { cwd: root, env: environment(), ...options });
  if (done.error) stop(`${program} could not be started: ${done.error.message}`);
  if (done.status !== 0 && done.stdout) process.stderr.write(done.stdout);
  return done.status ?? 1;
}

/** npm tells its children about itself in variables that would steer pnpm; where packages come from stays. */
function environment() {
  const kept = new Set(["npm_config_registry", "npm_config_cache", "npm_config_userconfig", "npm_config_globalconfig", "npm_config_cafile", "npm_config_proxy", "npm_config_https_proxy"]);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith("npm_") || kept.has(name.toLowerCase())));
  return { ...env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" };
}

function say(text) {
  process.stderr.write(`loop set-up: ${text}\n`);
}

function stop(text) {
  process.stderr.write(`loop set-up: ${text}\n`);
  process.exit(2);
}
