// Puts the plugin into the command line's package before it is packed, and takes it out again
// after: the packed program finds it beside itself, and the repository keeps one copy. Called by
// the package's prepack and postpack.
import { cpSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const inside = fileURLToPath(new URL("../../packages/cli/plugin", import.meta.url));
const plugin = fileURLToPath(new URL("../../plugins/loop", import.meta.url));

rmSync(inside, { recursive: true, force: true });
if (process.argv[2] !== "remove") cpSync(plugin, `${inside}/loop`, { recursive: true });
