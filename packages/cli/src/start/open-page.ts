import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ChildEnvironment } from "@loopwork/runtime/child-environment";
import { startProgram } from "../processes/child-process.ts";

/**
 * Opens an address in the user's browser; false where there is none. The address holds a secret,
 * and what stands on a command line all users of the machine can read: so the browser gets a file
 * that is the user's alone and leads there.
 */
export async function openPage(
  url: string,
  stateRoot: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const file = join(stateRoot, "dashboard.html");
  rmSync(file, { force: true });
  writeFileSync(
    file,
    `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${url}"><title>loop</title>\n`,
    { mode: 0o600, flag: "wx" },
  );
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  if (process.platform !== "darwin" && !env["DISPLAY"] && !env["WAYLAND_DISPLAY"]) return false;
  const child = startProgram(program, [file], {
    detached: true,
    stdio: "ignore",
    env: ChildEnvironment.tool(env, [
      "DISPLAY",
      "WAYLAND_DISPLAY",
      "XAUTHORITY",
      "BROWSER",
      "DBUS_SESSION_BUS_ADDRESS",
    ]),
  });
  child.unref();
  return once(child, "spawn").then(
    () => true,
    () => false,
  );
}
