import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { unescaped } from "./unescaped.mjs";

/**
 * Accidents that a prompt asks for; the real program cannot be asked for them. Each `{{fixture:name
 * argument}}` happens before the turn.
 */
export async function causeAccidents(prompt) {
  for (let at = prompt.indexOf("{{fixture:"); at >= 0; at = prompt.indexOf("{{fixture:", at + 1)) {
    const words = unescaped(prompt.slice(at + 10, prompt.indexOf("}}", at)));
    const [name, ...rest] = words.split(" ");
    await accidents[name]?.(rest);
  }
}

const accidents = {
  exit: ([code]) => process.exit(Number(code)),
  /** Tells by a file that it has come so far. */
  mark: ([file]) => writeFileSync(file, ""),
  wait: async ([file]) => {
    while (!existsSync(file)) await sleep(20);
  },
  kill: () => process.kill(process.pid, "SIGKILL"),
  "ignore-term": () => {
    process.removeAllListeners("SIGTERM");
    process.on("SIGTERM", () => {});
  },
  /** Leaves a child behind, its pid in the file where one is named. */
  orphan: ([seconds, file]) => {
    const child = spawn("sleep", [seconds], { detached: true, stdio: "ignore" });
    child.unref();
    if (file !== undefined) writeFileSync(file, String(child.pid));
  },
  flood: async ([mebibytes, how]) => {
    const piece = Buffer.alloc(
      1024 * 1024,
      how === "no-newline" ? 0x78 : "\u001b[31mflood\u001b[0m\n",
    );
    piece[0] = 0xff;
    for (let count = 0; count < Number(mebibytes); count += 1) {
      if (!process.stdout.write(piece))
        await new Promise((resolve) => process.stdout.once("drain", resolve));
    }
  },
};
