import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { rotateLog } from "../../src/detach/log-file.ts";
import { readLogs } from "../../src/detach/read-log.ts";
import { createScene, type Scene } from "../support/scene.ts";
import { until } from "../support/until.ts";

const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
const said = (second: number, text: string, level = "info"): string =>
  `${JSON.stringify({ time: `2026-11-22T09:00:0${second}.000Z`, level, text })}\n`;

function sceneWithLogs(): {
  readonly scene: Scene;
  readonly service: string;
  readonly poller: string;
} {
  const scene = createScene("state: { root: state }\n");
  const logs = join(scene.dir, "state", "logs");
  mkdirSync(logs, { recursive: true });
  const [service, poller] = [join(logs, "service.log"), join(logs, "poller.log")];
  writeFileSync(service, said(1, "up") + said(3, "refused \u001b[31m", "warn") + "last words\n");
  writeFileSync(poller, said(2, "polled"));
  return { scene, service, poller };
}

describe("loop logs", () => {
  test("shows all logs in the order of time, plain words behind what stood before them, and nothing that steers a terminal", async () => {
    const { scene } = sceneWithLogs();
    expect((await scene.loop("logs")).out.split("\n").filter((line) => line !== "")).toEqual([
      "2026-11-22 09:00:01  service       up",
      "2026-11-22 09:00:02  poller        polled",
      expect.stringMatching(/^2026-11-22 09:00:03 {2}service {7}refused \S*\[31m$/),
      "service       last words",
    ]);
    expect((await scene.loop("logs")).out).not.toContain("\u001b[31m");
    expect((await scene.loop("logs", "poller", "--json")).json()).toEqual([
      { daemon: "poller", time: "2026-11-22T09:00:02.000Z", level: "info", text: "polled" },
    ]);
    expect((await scene.loop("logs", "--limit", "1", "--json")).json()).toMatchObject([
      { text: "last words", time: null, level: null },
    ]);
  });

  test("says what to do where nothing is written, and which logs there are", async () => {
    expect(await createScene("state: { root: state }\n").loop("logs")).toMatchObject({
      code: 2,
      err: expect.stringContaining("LOOP_E_NO_LOG"),
    });
    expect(await sceneWithLogs().scene.loop("logs", "nobody")).toMatchObject({
      code: 2,
      err: expect.stringContaining("service, host-webhook, poller, restart"),
    });
  });

  test(
    "--follow goes on with what comes, also after the file started anew, whole lines only",
    { timeout: 60_000 },
    async () => {
      const { scene, service } = sceneWithLogs();
      const child = spawn(
        process.execPath,
        ["--conditions=@loopwork/source", bin, "logs", "service", "--follow", "--json"],
        { cwd: scene.cwd, env: scene.env, stdio: ["ignore", "pipe", "inherit"] },
      );
      onTestFinished(() => void child.kill("SIGKILL"));
      let out = "";
      child.stdout.on("data", (chunk) => (out += String(chunk)));
      const texts = (): readonly unknown[] =>
        out
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => (JSON.parse(line) as { text: unknown }).text);
      await until(
        () => texts().includes("last words"),
        "what was there",
        () => out,
      );
      appendFileSync(service, said(5, "more").slice(0, 20));
      appendFileSync(service, said(5, "more").slice(20));
      await until(
        () => texts().includes("more"),
        "what came",
        () => out,
      );
      truncateSync(service, 0);
      await new Promise((resolve) => setTimeout(resolve, 500));
      appendFileSync(service, said(6, "anew"));
      await until(
        () => texts().includes("anew"),
        "what came after the log started anew",
        () => out,
      );
      expect(texts().slice(-2)).toEqual(["more", "anew"]);
    },
  );

  test(
    "--follow loses and doubles no line where the log rotates, however fast it is written",
    { timeout: 60_000 },
    async () => {
      const { service } = sceneWithLogs();
      const [rotation, follow] = [
        { maxBytes: 20_000, files: 3 },
        readLogs([{ daemon: "service", file: service }], 0).follow(),
      ];
      onTestFinished(() => void follow.return(undefined));
      const [wanted, seen] = [new Array<string>(), new Array<string>()];
      const write = (n: number): void => {
        rotateLog(service, rotation);
        appendFileSync(service, said(5, `line ${n} ${"ü".repeat(40)}`));
        wanted.push(`line ${n} ${"ü".repeat(40)}`);
      };
      for (let n = 0; n < 900; n++) {
        write(n);
        if (n % 150 === 149)
          while (seen.length < wanted.length)
            seen.push((await follow.next()).value?.text ?? "ended");
      }
      expect(existsSync(`${service}.2`), "it rotated more than once").toBe(true);
      expect(seen).toEqual(wanted);
    },
  );

  test(
    "--follow says so where a reader that was away missed whole files",
    { timeout: 60_000 },
    async () => {
      const { service } = sceneWithLogs();
      const follow = readLogs([{ daemon: "service", file: service }], 0).follow();
      onTestFinished(() => void follow.return(undefined));
      appendFileSync(service, said(4, "seen"));
      expect((await follow.next()).value?.text).toBe("seen");
      for (let n = 0; n < 60; n++) {
        appendFileSync(service, said(5, `line ${n}`));
        rotateLog(service, { maxBytes: 1_000, files: 3 });
      }
      appendFileSync(service, said(6, "newest"));
      const texts = new Array<string>();
      while (!texts.includes("newest")) texts.push((await follow.next()).value?.text ?? "ended");
      expect(texts[0]).toMatch(/missing here/);
      expect(texts.slice(1)).toEqual([
        ...Array.from({ length: texts.length - 2 }, (_, n) => `line ${62 - texts.length + n}`),
        "newest",
      ]);
    },
  );

  test("the newest lines are shown also right after a rotation, and none that is cut", async () => {
    const { scene, service } = sceneWithLogs();
    writeFileSync(
      service,
      Array.from({ length: 9_000 }, (_, n) => said(3, `line ${n} ${"-".repeat(200)}`)).join(""),
    );
    rotateLog(service, { maxBytes: 1, files: 3 });
    appendFileSync(service, said(4, "after"));
    expect((await scene.loop("logs", "service", "--limit", "3", "--json")).json()).toMatchObject([
      { text: expect.stringContaining("line 8998") },
      { text: expect.stringContaining("line 8999") },
      { text: "after" },
    ]);
    const all = (
      await scene.loop("logs", "service", "--limit", "10000", "--json")
    ).json() as readonly { readonly time: string | null }[];
    expect(all.length).toBeGreaterThan(1_000);
    expect(all.filter(({ time }) => time === null)).toEqual([]);
  });
});
