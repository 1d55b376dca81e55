import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Debian's own Chromium, or the one that `LOOP_CHROMIUM` names; null where there is none. */
export function findChromium(): string | null {
  const chosen = process.env["LOOP_CHROMIUM"];
  if (chosen !== undefined && chosen !== "") return existsSync(chosen) ? chosen : null;
  return (
    [
      "/usr/bin/chromium",
      "/usr/bin/chromium-browser",
      "/usr/bin/google-chrome",
      "/Applications/Chromium.app/Contents/MacOS/Chromium",
    ].find((file) => existsSync(file)) ?? null
  );
}

/** Root may not use Chromium's sandbox; it talks to loopback alone here. */
export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
}
