#!/usr/bin/env node
import { useCompileCache } from "./compile-cache.ts";

// Nothing that an older Node cannot load is imported before its version is known.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(
    `loop-receiver needs Node 24.15 or newer; this is ${process.versions.node}. Install a newer one from https://nodejs.org.\n`,
  );
  process.exitCode = 2;
} else {
  useCompileCache();
  const { run } = await import("./run.ts");
  // Ends even when the reader of standard output never reads what is still under way: it stays in
  // the inbox.
  process.exit(await run(process.argv.slice(2)));
}
