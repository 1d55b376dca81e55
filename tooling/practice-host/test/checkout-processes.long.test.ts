import { execFile, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPracticeHost, type PracticeHost } from "../src/index.ts";
import { createDraws } from "../src/webhooks/draws.ts";

let host: PracticeHost;
let folder: string;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "practice-processes-")));
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, n) => [`src/file-${n}.txt`, `${n}\n`.repeat(200)]),
  );
  host = await createPracticeHost({ owner: "maria", files });
});
afterAll(async () => {
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
});

const child = (place: string, numbers: readonly number[]) =>
  spawn(
    process.execPath,
    [
      "--conditions=@loopwork/source",
      fileURLToPath(new URL("prepare-child.ts", import.meta.url)),
      ...numbers.map(String),
    ],
    {
      env: {
        ...process.env,
        PREPARE: JSON.stringify({ folder: place, url: host.url, cloneUrl: host.cloneUrl }),
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );

/** What a child printed; it may have been killed before it printed anything. */
async function printed(
  of: ReturnType<typeof child>,
): Promise<readonly { readonly kind: string; readonly workdir: string }[]> {
  let text = "";
  of.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
  await new Promise((resolve) => of.on("close", resolve));
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

async function isWhole(workdir: string): Promise<boolean> {
  const status = await promisify(execFile)("git", ["status", "--porcelain"], { cwd: workdir });
  return status.stdout === "";
}

test(
  "W13: three processes make nine checkouts of one new clone at once; every one is whole",
  { timeout: 120_000 },
  async () => {
    const made = (
      await Promise.all(
        [
          [1, 2, 3],
          [4, 5, 6],
          [7, 8, 9],
        ].map((numbers) => printed(child(folder, numbers))),
      )
    ).flat();
    expect(made.map((each) => each.kind)).toEqual(Array(9).fill("ready"));
    for (const { workdir } of made) expect(await isWhole(workdir)).toBe(true);
  },
);

test(
  "W13: a process that is killed at any moment leaves nothing that the next one cannot finish",
  { timeout: 240_000 },
  async () => {
    const draw = createDraws(20261121);
    for (let round = 0; round < 8; round++) {
      const place = join(folder, `round-${round}`);
      const victim = child(place, [1, 2]);
      const said = printed(victim);
      await sleep(200 + 900 * draw());
      victim.kill("SIGKILL");
      await said;
      const made = await printed(child(place, [1, 2]));
      expect(
        made.map((each) => each.kind),
        `round ${round}: ${JSON.stringify(made)}`,
      ).toEqual(["ready", "ready"]);
      for (const { workdir } of made) expect(await isWhole(workdir)).toBe(true);
    }
  },
);
