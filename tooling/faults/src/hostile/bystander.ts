import { spawn } from "node:child_process";
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { startProbe } from "./probe.ts";

/**
 * A plain process that does nothing but flush four kilobytes, start a child and collect a little
 * garbage now and then, as a service must: how late any process of this machine is, through no
 * fault of its own. Collecting waits for other threads of the process, which on a busy machine wait
 * for a processor. `bystander.js FILE`
 */
const file = openSync(process.argv[2] ?? "", "w");
const page = Buffer.alloc(4_096, 120);
setInterval(() => {
  writeSync(file, page, 0, page.length, 0);
  fdatasyncSync(file);
}, 20);
setInterval(
  () => void spawn(process.execPath, ["--version"], { stdio: "ignore" }).on("error", () => {}),
  1_000,
);
let young: readonly { readonly n: number }[] = [];
setInterval(() => {
  young = Array.from({ length: 20_000 }, (_, n) => ({ n: n + young.length }));
  globalThis.gc?.({ type: "minor" });
}, 250);
startProbe((sample) => process.send?.({ sample }));
process.on("disconnect", () => {
  closeSync(file);
  process.exit();
});
