#!/usr/bin/env node
import { useCompileCache } from "./files/compile-cache.ts";
import { checkNode } from "./node-version.ts";

// `loop-daemon-entry <daemon> [--once]` is `loop daemon <daemon> [--once]` under the name that init
// systems know.
checkNode();
useCompileCache();
const { endWith, runLoop } = await import("./run-loop.ts");
endWith(await runLoop(["daemon", ...process.argv.slice(2)]));
