import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { logFileOf, rotateLog } from "../../src/detach/log-file.ts";
import { runDaemon } from "../../src/start/daemons.ts";
import { loadConfig } from "../../src/configuration/load-config.ts";
import type { Io } from "../../src/io/io.ts";
import { createScene } from "../support/scene.ts";

test("a full log starts anew, older ones stay beside it, and what the process has open goes to the newest", () => {
  const { dir } = createScene();
  const file = join(dir, "service.log");
  const out = openSync(file, "a", 0o600);
  onTestFinished(() => closeSync(out));
  for (const line of ["one", "two", "three", "four"]) {
    rotateLog(file, { maxBytes: 4, files: 3 });
    writeSync(out, `${line}\n`);
  }
  rotateLog(file, { maxBytes: 100, files: 3 });
  expect([file, `${file}.1`, `${file}.2`].map((each) => readFileSync(each, "utf8"))).toEqual([
    "four\n",
    "three\n",
    "two\n",
  ]);
  expect(existsSync(`${file}.3`)).toBe(false);
  expect(statSync(`${file}.1`).mode & 0o777).toBe(0o600);
});

test("a log that cannot be rotated stays as it is, and one that is not there is no matter", () => {
  const { dir } = createScene();
  const file = join(dir, "service.log");
  rotateLog(file, { maxBytes: 1, files: 3 });
  writeFileSync(file, "full");
  mkdirSync(`${file}.1`);
  mkdirSync(`${file}.2`);
  writeFileSync(join(`${file}.2`, "x"), "");
  rotateLog(file, { maxBytes: 1, files: 3 });
  expect(readFileSync(file, "utf8")).toBe("full");
});

test(
  "a detached daemon rotates its log before it writes, one in the foreground leaves it alone",
  { timeout: 30_000 },
  async () => {
    for (const detached of [false, true]) {
      const scene = createScene(
        "state: { root: state }\nservice: { enabled: false }\nwebhooks: { hostWebhook: { enabled: true } }\nrouting: { authorizedUsers: [] }\n",
      );
      if (detached) scene.env["LOOP_DAEMON"] = "1";
      const io: Io = {
        version: "0.0.0-test",
        cwd: scene.cwd,
        home: scene.home,
        env: scene.env,
        color: false,
        width: 100,
        interactive: false,
        out: () => {},
        err: () => {},
        readStdin: () => Promise.resolve(""),
        ask: () => Promise.resolve(""),
      };
      const loaded = loadConfig(scene.configFile, io);
      const file = logFileOf(loaded.paths.stateRoot, "host-webhook");
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, Buffer.alloc(10 * 1024 * 1024));
      const decorate = (): never => {
        throw new Error("far enough");
      };
      await expect(
        runDaemon({ kind: "host-webhook", once: false, loaded, io, decorate }),
      ).rejects.toThrow("far enough");
      expect(existsSync(`${file}.1`)).toBe(detached);
      expect(statSync(file).size).toBe(detached ? 0 : 10 * 1024 * 1024);
    }
  },
);
