import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@loopwork-tooling/practice-host";
import { describe, expect, onTestFinished, test } from "vitest";
import { EnvFileRejected, readEnvFile } from "../../src/configuration/env-file.ts";
import { createScene, type Scene } from "../support/scene.ts";

const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));

function envFile(content: string | Uint8Array, mode = 0o600): string {
  const dir = mkdtempSync(join(tmpdir(), "loop-env-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, "loop.env");
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

const valuesOf = (content: string): Record<string, string> =>
  Object.fromEntries(readEnvFile(envFile(content)).values);

/** The problems of a file, without its path. */
function problemsOf(content: string | Uint8Array): readonly string[] {
  const file = envFile(content);
  try {
    readEnvFile(file);
    return [];
  } catch (error) {
    if (!(error instanceof EnvFileRejected)) throw error;
    return error.details.map((detail) => detail.replace(file, ""));
  }
}

describe("an env file", () => {
  test("holds plain and quoted assignments, comments and empty lines", () => {
    const text = [
      "# a comment",
      "",
      "  # another",
      "A=1",
      "export B = 'two words' ",
      "C='a#b \"c\"'",
      'D="x\\ny" # why',
      "E=",
      "F='one",
      "two'",
      "G=a=b==",
      "H=''",
      "I='Authorization=Bearer x'",
    ].join("\n");
    expect(valuesOf(text)).toEqual({
      A: "1",
      B: "two words",
      C: 'a#b "c"',
      D: "x\ny",
      E: "",
      F: "one\ntwo",
      G: "a=b==",
      H: "",
      I: "Authorization=Bearer x",
    });
    expect(valuesOf("A=1\r\nB='2'\r\n")).toEqual({ A: "1", B: "2" });
    expect(valuesOf("")).toEqual({});
  });

  test.each([
    [
      "a value that begins with #",
      "A=1\nSECRET=#Sup3r",
      [":2: a # in the value of SECRET must be quoted: SECRET='…'"],
    ],
    [
      "a value with # in it",
      "SECRET=abc#def",
      [":1: a # in the value of SECRET must be quoted: SECRET='…'"],
    ],
    [
      "a comment behind a value",
      "SECRET=abc # mine",
      [":1: a # in the value of SECRET must be quoted: SECRET='…'"],
    ],
    ["a YAML line", "# x\n\nSECRET: abc", [":3: not an assignment; write NAME=value"]],
    ["a name that is no variable", "MY-SECRET=abc", [":1: not an assignment; write NAME=value"]],
    ["a bare name", "SECRET", [":1: not an assignment; write NAME=value"]],
    [
      "an open quote",
      "A=1\nSECRET='abc\nB=2",
      [
        ":2: the quote that opens the value of SECRET is never closed",
        ":3: not an assignment; write NAME=value",
      ].slice(0, 1),
    ],
    ["text behind a quote", "SECRET='abc'def", [":1: text after the closing quote of SECRET"]],
    [
      "a quote in a plain value",
      "SECRET=ab'c",
      [":1: a quote in the middle of the value of SECRET; quote the whole value"],
    ],
    [
      "backticks",
      "SECRET=`abc`",
      [":1: a quote in the middle of the value of SECRET; quote the whole value"],
    ],
    [
      "two assignments behind one export",
      "export A=x SECRET=abc",
      [":1: the value of A contains a blank and must be quoted: A='…'"],
    ],
    [
      "two assignments in one line",
      "A=1\nB=x; SECRET=abc",
      [":2: the value of B contains ; and must be quoted: B='…'"],
    ],
    ["one variable twice", "SECRET=abc\nA=1\nSECRET=", [":3: SECRET is set in line 1 already"]],
    [
      "a byte-order mark",
      "\u{feff}SECRET=abc",
      [":1: a byte-order mark hides the first variable; save the file as UTF-8 without one"],
    ],
    [
      "UTF-16",
      Buffer.from("\u{feff}SECRET=abc\n", "utf16le"),
      [":1: UTF-16 text; save the file as UTF-8 without a byte-order mark"],
    ],
    [
      "UTF-16 without a mark",
      Buffer.from("SECRET=abc\n", "utf16le"),
      [":1: a NUL byte; save the file as UTF-8"],
    ],
    ["a NUL byte", "A=1\nSECRET=ab\u0000c", [":2: a NUL byte; save the file as UTF-8"]],
    [
      "bytes that are no UTF-8",
      Buffer.from([0x41, 0x3d, 0xff, 0x0a]),
      [": not UTF-8; save the file as UTF-8"],
    ],
    [
      "a comment that a lone carriage return ends",
      "# made here\rSECRET=abc\r",
      [":1: a character that cannot be seen, such as a lone carriage return; type the line again"],
    ],
    [
      "a comment that a line separator ends",
      "# made here\u{2028}SECRET=abc",
      [":1: a character that cannot be seen, such as a lone carriage return; type the line again"],
    ],
    [
      "a zero-width space before a value",
      "SECRET=\u{200b}abc",
      [":1: a character that cannot be seen, such as a lone carriage return; type the line again"],
    ],
    [
      "a quote that swallows the next assignment",
      'A="x\nSECRET=abc\nB="',
      [":1: the value of A goes over several lines and swallows an assignment; close its quote"],
    ],
    [
      "several wrong lines, all at once",
      "A: 1\nB=2\nC=3#",
      [
        ":1: not an assignment; write NAME=value",
        ":3: a # in the value of C must be quoted: C='…'",
      ],
    ],
  ])("is refused whole for %s, with the line", (_, content, expected) => {
    expect(problemsOf(content)).toEqual(expected);
  });

  test("takes every private key in quotes, whatever its last line looks like", () => {
    const ec = Array.from(
      { length: 200 },
      () =>
        generateKeyPairSync("ec", {
          namedCurve: "P-256",
          privateKeyEncoding: { type: "sec1", format: "pem" },
          publicKeyEncoding: { type: "spki", format: "pem" },
        }).privateKey,
    );
    const rsa = Array.from(
      { length: 3 },
      () =>
        generateKeyPairSync("rsa", {
          modulusLength: 2048,
          privateKeyEncoding: { type: "pkcs1", format: "pem" },
          publicKeyEncoding: { type: "spki", format: "pem" },
        }).privateKey,
    );
    const refused = [...ec, ...rsa].filter(
      (key) => problemsOf(`KEY='${key}'\nOTHER="${key}"\nLAST=1\n`).length > 0,
    );
    expect(refused).toEqual([]);
  });

  test.each([
    ["the last line of a key", "x\n0goPrdntNA==\n-----END EC PRIVATE KEY-----"],
    ["a line that ends with one =", "x\nabc="],
    ["a header of a key", "-----BEGIN K-----\nComment=a b\n\nabcd\n-----END K-----\n"],
  ])("takes %s in a value of several lines", (_, value) => {
    expect(valuesOf(`A='${value}'\n`)).toEqual({ A: value });
  });

  test.each([
    ["after a key", "-----BEGIN K-----\nabcd\n-----END K-----\nSECRET=abc"],
    ["in a key without an end", "-----BEGIN K-----\nabcd\nSECRET=abc"],
    ["in a key with another's end", "-----BEGIN K-----\nSECRET=abc\n-----END L-----"],
    [
      "in a key that another one cuts off",
      "-----BEGIN K-----\nSECRET=abc\n-----BEGIN K-----\nabcd\n-----END K-----",
    ],
    ["with a value that begins with =", "x\nSECRET==abc"],
  ])("refuses a quote that swallows an assignment %s", (_, value) => {
    expect(problemsOf(`A='${value}'\n`)).toEqual([
      ":1: the value of A goes over several lines and swallows an assignment; close its quote",
    ]);
  });

  test("never loses or changes an assignment without an error, whatever character its value holds", () => {
    for (let code = 0; code < 0x300; code += 1) {
      for (const text of [
        `${String.fromCharCode(code)}ab`,
        `a${String.fromCharCode(code)}b`,
        `ab${String.fromCharCode(code)}`,
      ]) {
        const content = `BEFORE=1\nSECRET=${text}\nAFTER=2\n`;
        if (problemsOf(content).length > 0) continue;
        const { SECRET, ...others } = valuesOf(content);
        expect(others, JSON.stringify(text)).toEqual({ BEFORE: "1", AFTER: "2" });
        expect(SECRET, JSON.stringify(text)).toBe(text.trim());
      }
    }
  });

  test.each([..." \t;&|$\\<>()"].map((each) => [JSON.stringify(each), each]))(
    "refuses %s in a value without quotes, which ends the value in a shell, and takes it in quotes",
    (_, each) => {
      for (const text of [`A=x${each}SECRET=abc`, `export A=x${each}y`])
        expect(problemsOf(`# first\n${text}\n`)).toEqual([
          expect.stringMatching(/^:2: the value of A contains .* and must be quoted: A='…'$/),
        ]);
      expect(valuesOf(`A='x${each}y'\n`)).toEqual({ A: `x${each}y` });
    },
  );

  test.each([
    ["in quotes", "A='x LOOP_HOST_TOKEN=abc'"],
    ["behind an equals sign", "B=1\nA=LOOP_HOST_TOKEN=abc"],
    ["in another case", "loop_host_token=abc"],
    ["in a value of several lines", "A='x\ny LOOP_HOST_TOKEN=abc'"],
    ["as a name that only loop begins with", "A='LOOP_OTHER=abc'"],
  ])("refuses the name of a variable that stands %s and is set nowhere", (_, content) => {
    const file = envFile(content);
    const expected = { names: ["LOOP_HOST_TOKEN"], isSet: () => false };
    expect(() => readEnvFile(file, expected)).toThrow(EnvFileRejected);
    const isSet = (): boolean => true;
    expect(readEnvFile(file, { ...expected, isSet }).values.size).toBeGreaterThan(0);
  });

  test("takes the name of a variable in a comment, and beside one that sets it", () => {
    const file = envFile(
      "# LOOP_HOST_TOKEN=\nA='x' # LOOP_HOST_TOKEN=\nLOOP_HOST_WEBHOOK_SECRET=0123\nB='LOOP_HOST_WEBHOOK_SECRET MY_LOOP_HOST_TOKEN'\n",
    );
    const names = ["LOOP_HOST_TOKEN", "LOOP_HOST_WEBHOOK_SECRET"];
    expect(readEnvFile(file, { names, isSet: () => false }).values.size).toBe(3);
  });

  test("no error shows a value", () => {
    const secret = "hush-hush-42";
    for (const text of [
      `A=${secret}#x`,
      `A='${secret}`,
      `A='x'${secret}`,
      `${secret}`,
      `A: ${secret}`,
      `A=1\nA=${secret}`,
      `A=${secret} ${secret}`,
      `A='LOOP_B=${secret}'`,
    ])
      expect(problemsOf(text).join(" "), text).not.toContain(secret);
  });

  test("that is a folder, a pipe or missing is an error with what to do", () => {
    expect(() => readEnvFile(tmpdir())).toThrow(/cannot be read: it is a folder/);
    expect(() => readEnvFile("/dev/zero")).toThrow(/cannot be read: it is not a regular file/);
    expect(() => readEnvFile(join(tmpdir(), "none.env"))).toThrow(/cannot be read/);
  });

  test("says whether others can read it", () => {
    expect([
      readEnvFile(envFile("A=1")).shared,
      readEnvFile(envFile("A=1", 0o640)).shared,
      readEnvFile(envFile("A=1", 0o604)).shared,
    ]).toEqual([false, true, true]);
  });
});

describe("a webhook secret that is set to something unusable", () => {
  const configOf = (port: number): string =>
    `service: { enabled: false }\nwebhooks: { hostWebhook: { enabled: true, port: ${port} } }\nrouting: { authorizedUsers: [ada], repositories: [practice/garden] }\nenv: { file: loop.env }\n`;

  function sceneWith(content: string | Uint8Array, port: number): Scene {
    const scene = createScene(configOf(port));
    writeFileSync(join(scene.dir, "loop.env"), content, { mode: 0o600 });
    return scene;
  }

  test.each<[string, string | Uint8Array, string]>([
    [
      "nothing but a comment sign",
      "LOOP_HOST_WEBHOOK_SECRET=#Sup3rS3cretValue\n",
      "loop.env:1: a # in the value of LOOP_HOST_WEBHOOK_SECRET must be quoted",
    ],
    [
      "behind a byte-order mark",
      "\u{feff}LOOP_HOST_WEBHOOK_SECRET=0123456789abcdef\n",
      "byte-order mark",
    ],
    [
      "in UTF-16",
      Buffer.from("\u{feff}LOOP_HOST_WEBHOOK_SECRET=0123456789abcdef\n", "utf16le"),
      "UTF-16",
    ],
    ["as YAML", "LOOP_HOST_WEBHOOK_SECRET: 0123456789abcdef\n", "loop.env:1: not an assignment"],
    ["empty", "LOOP_HOST_WEBHOOK_SECRET=\n", "LOOP_HOST_WEBHOOK_SECRET is set but empty"],
    [
      "behind another assignment",
      "export A=x LOOP_HOST_WEBHOOK_SECRET=0123456789abcdef\n",
      "loop.env:1: the value of A contains a blank and must be quoted",
    ],
    [
      "in the value of another one",
      "A='x LOOP_HOST_WEBHOOK_SECRET=0123456789abcdef'\n",
      "loop.env:1: LOOP_HOST_WEBHOOK_SECRET stands in the value of A, and nothing sets it",
    ],
    [
      "of characters that print nothing",
      `LOOP_HOST_WEBHOOK_SECRET='${"\u{3164}".repeat(20)}'\n`,
      "loop.env:1: a character that cannot be seen",
    ],
    [
      "with a line break behind it",
      'LOOP_HOST_WEBHOOK_SECRET="0123456789abcdef\\n"\n',
      "LOOP_HOST_WEBHOOK_SECRET begins or ends with a blank or a line break",
    ],
  ])("%s: no receiver comes up", async (_, content, message) => {
    const port = await freePort();
    const scene = sceneWith(content, port);
    const child = spawn(
      process.execPath,
      [
        "--conditions=@loopwork/source",
        bin,
        "daemon",
        "host-webhook",
        "--config",
        scene.configFile,
      ],
      { cwd: scene.cwd, env: scene.env, stdio: ["ignore", "ignore", "pipe"] },
    );
    onTestFinished(() => void child.kill("SIGKILL"));
    let err = "";
    child.stderr.on("data", (chunk) => (err += String(chunk)));
    const ended = once(child, "exit").then(() => "ended");
    const up = (async () => {
      while (child.exitCode === null)
        if (
          await fetch(`http://127.0.0.1:${port}/health`).then(
            ({ ok }) => ok,
            () => false,
          )
        )
          return "listening";
      return ended;
    })();
    expect(await Promise.race([ended, up]), err).toBe("ended");
    expect(child.exitCode, err).toBe(2);
    expect(err).toContain(message);
  });

  test("empty in the environment it is an error even where the file has one, and `unset` is the way out", async () => {
    const scene = sceneWith("LOOP_HOST_WEBHOOK_SECRET=0123456789abcdef\n", 8787);
    scene.env["LOOP_HOST_WEBHOOK_SECRET"] = "";
    const ran = await scene.loop("config", "validate");
    expect(ran).toMatchObject({
      code: 2,
      err: expect.stringContaining("LOOP_HOST_WEBHOOK_SECRET is set but empty"),
    });
    expect(ran.err).toContain("unset it");
    delete scene.env["LOOP_HOST_WEBHOOK_SECRET"];
    expect((await scene.loop("config", "validate")).code).toBe(0);
  });

  test.each(["LOOP_HOST_TOKEN", "LOOP_HOST_WEBHOOK_SECRET"])(
    "an empty %s is an error, whichever daemon is enabled",
    async (name) => {
      const scene = createScene(
        "routing: { authorizedUsers: [ada], repositories: [practice/garden] }\n",
      );
      scene.env[name] = "";
      expect(await scene.loop("status")).toMatchObject({
        code: 2,
        err: expect.stringContaining(`${name} is set but empty`),
      });
    },
  );

  test.each(["\u{3164}", "\u{2800}", "\u{115f}", "\u{ffa0}", "\u{e0041}", "\u{fe0f}", "\u{e0100}"])(
    "of %j alone it is an error like an empty one, in the environment and in the file",
    async (char) => {
      const scene = sceneWith(`A='${char}'\n`, 8787);
      expect(await scene.loop("config", "validate")).toMatchObject({
        code: 2,
        err: expect.stringContaining("loop.env:1: a character that cannot be seen"),
      });
      writeFileSync(join(scene.dir, "loop.env"), "");
      for (const name of ["LOOP_HOST_TOKEN", "LOOP_HOST_WEBHOOK_SECRET"]) {
        scene.env[name] = char.repeat(20);
        expect(await scene.loop("config", "validate")).toMatchObject({
          code: 2,
          err: expect.stringContaining(`${name} contains a character that cannot be seen`),
        });
        delete scene.env[name];
      }
    },
  );

  test("doctor names the line, and what to do", async () => {
    const scene = sceneWith("LOOP_HOST_WEBHOOK_SECRET=abc#def\n", 8787);
    const ran = await scene.loop("doctor");
    expect(ran.code).toBe(1);
    expect(ran.out).toContain(
      "loop.env:1: a # in the value of LOOP_HOST_WEBHOOK_SECRET must be quoted",
    );
    writeFileSync(join(scene.dir, "loop.env"), "LOOP_HOST_WEBHOOK_SECRET='abc#def'\n");
    const short = await scene.loop("doctor");
    expect(short.out).toContain(
      "LOOP_HOST_WEBHOOK_SECRET is too short: it has fewer than 16 characters",
    );
    chmodSync(join(scene.dir, "loop.env"), 0o644);
    expect((await scene.loop("doctor")).out).toContain(
      `Run: chmod 600 ${join(scene.dir, "loop.env")}`,
    );
  });

  test("a receiver whose public address is on record does not start without a secret", async () => {
    const scene = createScene(
      "webhooks: { hostWebhook: { enabled: true, publicUrl: 'https://hooks.example.org/host-webhook' } }\nrouting: { authorizedUsers: [ada], repositories: [practice/garden] }\n",
    );
    for (const argv of [
      ["start"],
      ["restart"],
      ["daemon", "host-webhook"],
      ["daemon", "service"],
    ]) {
      const ran = await scene.loop(...argv);
      expect(ran, argv.join(" ")).toMatchObject({
        code: 2,
        err: expect.stringContaining(
          "LOOP_HOST_WEBHOOK_SECRET is not set, and a webhook at https://hooks.example.org/host-webhook leads here",
        ),
      });
    }
    scene.env["LOOP_HOST_WEBHOOK_SECRET"] = "0123456789abcdef";
    expect((await scene.loop("config", "validate")).code).toBe(0);
  });
});
