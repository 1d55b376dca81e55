import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProcessPlan } from "@loopwork/core/ports";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { identityOf, isAlive } from "../../src/processes/process-identity.ts";
import { createRunProcess } from "../../src/processes/run-process.ts";
import { runToEnd } from "../../src/processes/run-to-end.ts";
import { parentOf, stage } from "./stage.ts";
import { ChildEnvironment } from "@loopwork/runtime/child-environment";

const generous = { timeout: 60_000 };

function plan(script: string): ProcessPlan {
  const dir = mkdtempSync(join(tmpdir(), "loop-broker-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return {
    argv: ["/bin/sh", "-c", script],
    cwd: dir,
    env: { PATH: process.env["PATH"] ?? "" },
    stdoutFile: join(dir, "out"),
    stderrFile: join(dir, "err"),
    deadlineMs: 120_000,
    maxOutputBytes: 1_000_000,
  };
}

/** What a process was started with, but for its channel to its parent. */
function variablesOf(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/environ`, "latin1")
    .split("\0")
    .filter((variable) => !variable.startsWith("NODE_CHANNEL_") && variable !== "");
}

describe("a broker", () => {
  test(
    "is the parent of what it starts, in a group of its own, and has no variable of ours",
    generous,
    async () => {
      const { run, launched } = stage();
      const child = await run.spawn(plan("read line"));
      const pid = launched[0]?.pid ?? 0;
      expect(parentOf(child.identity.pid)).toBe(pid);
      expect(variablesOf(pid)).toEqual([]);
      expect(readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ")[2]).toBe(
        String(pid),
      );
      child.endInput();
      expect(await child.ended).toMatchObject({ code: 1 });
    },
  );

  test(
    "goes on when a supervisor asks every process of the service to end, so that exit codes still come",
    generous,
    async () => {
      const { run, launched, told } = stage();
      const child = await run.spawn(plan("read line; exit 3"));
      for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) launched[0]?.kill(signal);
      await child.write("go\n");
      expect(await child.ended).toEqual({ code: 3, signal: null, stopped: null });
      expect(told).toEqual([]);
    },
  );

  test(
    "that is killed takes exit codes and inputs along, and no child: each is waited for, and the next has another broker",
    generous,
    async () => {
      const { run, launched, told } = stage();
      const made = plan("while [ ! -e go ]; do sleep 0.05; done; echo done; exit 3");
      const child = await run.spawn(made);
      launched[0]?.kill("SIGKILL");
      await vi.waitFor(() => expect(told).toHaveLength(1), generous);
      expect(isAlive(child.identity)).toBe(true);
      await child.write("nobody hears this\n"); // Settles, as for a child that has closed its input.
      const next = await run.spawn(plan("exit 4"));
      expect((await next.ended).code).toBe(4);
      expect(launched).toHaveLength(2);
      writeFileSync(join(made.cwd, "go"), "");
      expect(await child.ended).toEqual({ code: null, signal: null, stopped: null });
      expect(readFileSync(made.stdoutFile, "utf8")).toBe("done\n");
    },
  );

  test(
    "that is killed makes no failure of a program that is run to its end: it is run once more",
    generous,
    async () => {
      const { run, launched } = stage();
      const { argv, cwd, env } = plan("echo >> runs; [ $(wc -l < runs) = 2 ] || sleep 1");
      const ended = runToEnd(
        {
          argv,
          cwd,
          env: ChildEnvironment.planned({ env }),
          input: "",
          deadlineMs: 60_000,
          mostBytes: 100,
          scratchDir: join(cwd, "scratch"),
        },
        run,
      );
      await vi.waitFor(() => expect(existsSync(join(cwd, "runs"))).toBe(true), generous);
      launched[0]?.kill("SIGKILL");
      expect(await ended).toMatchObject({ kind: "ended", code: 0 });
      expect(readFileSync(join(cwd, "runs"), "utf8")).toBe("\n\n");
    },
  );

  test(
    "that is killed leaves children that can be stopped, with their group",
    generous,
    async () => {
      const { run, launched, told } = stage();
      const child = await run.spawn(plan("sleep 300"));
      launched[0]?.kill("SIGKILL");
      await vi.waitFor(() => expect(told).toHaveLength(1), generous);
      await child.stop("asked", 100);
      expect(await child.ended).toMatchObject({ code: null, stopped: "asked" });
      expect(isAlive(child.identity)).toBe(false);
    },
  );

  test(
    "that is killed before the prompt was written leaves a child that reads an empty input",
    generous,
    async () => {
      const { run, launched } = stage();
      const made = plan('if read line; then echo "heard $line"; else echo nothing; fi');
      const child = await run.spawn(made);
      launched[0]?.kill("SIGKILL");
      await child.ended;
      expect(readFileSync(made.stdoutFile, "utf8")).toBe("nothing\n");
    },
  );

  test(
    "that is stopped while it is asked is ended, and whoever asked hears that nobody knows",
    generous,
    async () => {
      const { run, launched, told } = stage({ pingEveryMs: 1_000 });
      await (
        await run.spawn(plan("exit 0"))
      ).ended;
      launched[0]?.kill("SIGSTOP");
      const made = plan("touch ran");
      await expect(run.spawn(made)).rejects.toMatchObject({ code: "LOOP_E_BROKER" });
      expect(told).toHaveLength(1);
      expect(existsSync(join(made.cwd, "ran"))).toBe(false);
      expect((await (await run.spawn(plan("exit 5"))).ended).code).toBe(5);
    },
  );

  test(
    "that is stopped while children run is ended, and they are waited for",
    generous,
    async () => {
      const { run, launched } = stage({ pingEveryMs: 1_000 });
      const made = plan("while [ ! -e go ]; do sleep 0.05; done; exit 3");
      const child = await run.spawn(made);
      launched[0]?.kill("SIGSTOP");
      writeFileSync(join(made.cwd, "go"), "");
      expect(await child.ended).toEqual({ code: null, signal: null, stopped: null });
    },
  );

  test.each([
    ["ends before its first word", "process.exit(7)"],
    ["never says one", "setInterval(() => {}, 1000)"],
  ])("that %s is done without: we start the child ourselves", generous, async (_, script) => {
    const { run, told } = stage({
      pingEveryMs: 100,
      launch: () =>
        spawn(process.execPath, ["-e", script], { stdio: ["ignore", "ignore", "inherit", "ipc"] }),
    });
    const child = await run.spawn(plan("read line; exit 6"));
    expect(parentOf(child.identity.pid)).toBe(process.pid);
    await child.write("go\n");
    expect((await child.ended).code).toBe(6);
    expect(told).not.toHaveLength(0);
  });

  test("that cannot even be launched is done without", generous, async () => {
    const { run } = stage({
      launch: () => spawn("/does/not/exist", [], { stdio: ["ignore", "ignore", "ignore", "ipc"] }),
    });
    expect((await (await run.spawn(plan("exit 6"))).ended).code).toBe(6);
  });

  test(
    "passes the system's reason on when a program, a folder or a file is not there",
    generous,
    async () => {
      const { run } = stage();
      await expect(run.spawn({ ...plan(""), argv: ["/does/not/exist"] })).rejects.toMatchObject({
        code: "ENOENT",
      });
      await expect(run.spawn({ ...plan(""), argv: ["/etc/passwd"] })).rejects.toMatchObject({
        code: "EACCES",
      });
      await expect(run.spawn({ ...plan(""), stdoutFile: "/does/not/exist" })).rejects.toMatchObject(
        { code: "ENOENT" },
      );
    },
  );

  test(
    "ends with whoever started it, however that ends, and a child that lives goes on",
    generous,
    async () => {
      const made = plan("while [ ! -e go ]; do sleep 0.05; done; echo ended");
      const script = `
      import { openBroker } from ${JSON.stringify(new URL("../../src/start/launch-broker.ts", import.meta.url).href)};
      import { createRunProcess } from ${JSON.stringify(new URL("../../src/processes/run-process.ts", import.meta.url).href)};
      const child = await createRunProcess(openBroker().start).spawn(${JSON.stringify(made)});
      console.log(JSON.stringify(child.identity));
      setInterval(() => {}, 1000);`;
      const daemon = spawn(
        process.execPath,
        ["--conditions=@loopwork/source", "--input-type=module", "-e", script],
        {
          env: { ...process.env, NODE_COMPILE_CACHE: join(made.cwd, "compiled") },
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      const [line] = await once(daemon.stdout, "data");
      const identity = JSON.parse(String(line));
      const broker = identityOf(parentOf(identity.pid));
      expect(broker?.pid).not.toBe(daemon.pid);
      expect(variablesOf(broker?.pid ?? 0)).toEqual([
        `NODE_COMPILE_CACHE=${join(made.cwd, "compiled")}`,
      ]);
      expect(variablesOf(identity.pid).filter((each) => each.startsWith("NODE_"))).toEqual([]);
      daemon.kill("SIGKILL");
      await vi.waitFor(() => expect(broker !== null && isAlive(broker)).toBe(false), generous);
      const adopted = createRunProcess().adopt(identity, made);
      expect(adopted).not.toBeNull();
      writeFileSync(join(made.cwd, "go"), "");
      expect(await adopted?.ended).toEqual({ code: null, signal: null, stopped: null });
      expect(readFileSync(made.stdoutFile, "utf8")).toBe("ended\n");
    },
  );
});
