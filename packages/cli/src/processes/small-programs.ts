import { copyFile, lstat, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SmallPrograms } from "@loopwork/runtime";
import { runToEnd } from "./run-to-end.ts";
import { elsewhere, inScratch } from "./scratch.ts";

/** Small programs as this machine runs them. */
export const smallPrograms: SmallPrograms = {
  runToEnd,
  async withFile(text, work) {
    const folder = await mkdtemp(join(tmpdir(), "loop-asked-"));
    try {
      const file = join(folder, "settings.json");
      await writeFile(file, text, { mode: 0o600, flag: "wx" });
      return await work(file);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  outsideRepositories: (scratchDir, work) => inScratch(scratchDir, work, elsewhere()),
  async copyFiles(from, to, may) {
    await mkdir(to);
    if ((await lstat(from).catch(() => null))?.isDirectory() !== true) return;
    for (const each of await readdir(from, { withFileTypes: true }))
      if (each.isFile() && may(each.name))
        await copyFile(join(from, each.name), join(to, each.name));
  },
};
