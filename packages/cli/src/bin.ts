#!/usr/bin/env node
import { useCompileCache } from "./files/compile-cache.ts";
import { checkNode } from "./node-version.ts";

// Checked before anything else is loaded: an old Node would stop at syntax that it does not know.
checkNode();
useCompileCache();
const { endWith, runLoop } = await import("./run-loop.ts");
endWith(await runLoop(process.argv.slice(2)));
