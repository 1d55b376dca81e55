import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { opening, storedIn, temporaryFolder } from "./file-inbox/opening.ts";
import { post, startBin } from "./support/bin.ts";
import { openRaw } from "./support/raw-http.ts";

const idsIn = (output: string): readonly string[] =>
  [...output.matchAll(/^\{"id":"([^"]{1,128})"/gm)].map((match) => match[1] ?? "");

describe("usage", () => {
  test("--help says what to do and exits 0", async () => {
    const bin = startBin(["--help"]);
    expect(await bin.ended).toEqual({ code: 0, signal: null });
    for (const flag of [
      "--host",
      "--port",
      "--path",
      "--secret-env",
      "--previous-secret-env",
      "--events",
      "--inbox",
      "--ndjson",
      "--forward",
      "--allow-unsigned",
      "--max-body-bytes",
    ])
      expect(bin.output()).toContain(flag);
  });

  test.each([
    [["--port", "70000"], "--port"],
    [["--port", "1e3"], "--port"],
    [["--max-body-bytes", "-1"], "--max-body-bytes"],
    [["--secret-env", "ghp_not a name"], "--secret-env"],
    [["--events", "issues,Bad Name"], "--events"],
    [["--forward", "ftp://x"], "--forward"],
    [["--ndjson", "--forward", "http://x"], "exclude"],
    [["--unknown"], "--unknown"],
    [["positional"], "positional"],
    [["--path", "no-slash"], "path"],
  ])("%j: one line, exit 2", async (args, word) => {
    const bin = startBin([...args, "--inbox", temporaryFolder()]);
    expect((await bin.ended).code).toBe(2);
    expect(bin.log()).toContain(word);
    expect(bin.log()).toContain("LOOP_E_");
    expect(bin.log().trimEnd().split("\n")).toHaveLength(1);
    expect(bin.log()).not.toContain("ghp_");
  });

  test.each(["20.20.2", "24.14.1"])("Node %s: one clear line, exit 2", async (version) => {
    const pretend = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"${version}"})`;
    const bin = startBin(["--help"], { nodeFlags: ["--import", pretend] });
    expect((await bin.ended).code).toBe(2);
    expect(bin.log()).toMatch(
      /^loop-receiver needs Node 24\.15 or newer; this is [0-9.]+\. [^\n]+\n$/,
    );
  });

  test("a port that is taken: LOOP_E_LISTEN, exit 2", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", () => resolve()));
    const address = taken.address();
    const bin = startBin([
      "--inbox",
      temporaryFolder(),
      "--port",
      String(typeof address === "object" ? address?.port : 0),
    ]);
    expect((await bin.ended).code).toBe(2);
    expect(bin.log()).toMatch(/LOOP_E_LISTEN.*EADDRINUSE/);
    taken.close();
  });

  test("D04 two on one inbox: the second says so and exits 2", async () => {
    const folder = temporaryFolder();
    const first = startBin(["--inbox", folder, "--port", "0"]);
    await first.port;
    const second = startBin(["--inbox", folder, "--port", "0"]);
    expect((await second.ended).code).toBe(2);
    expect(second.log()).toContain("LOOP_E_INBOX_LOCKED");
  });

  test("R15 without a secret: a warning on loopback, refused elsewhere", async () => {
    const local = startBin(["--inbox", temporaryFolder(), "--port", "0"], { env: {} });
    await local.port;
    expect(local.log()).toContain("LOOP_HOST_WEBHOOK_SECRET is not set");
    const open = startBin(["--inbox", temporaryFolder(), "--port", "0", "--host", "0.0.0.0"], {
      env: {},
    });
    expect((await open.ended).code).toBe(2);
    expect(open.log()).toContain("LOOP_E_UNSIGNED_BIND");
  });
});

describe("--ndjson", () => {
  test("prints a line a delivery, byte for byte, and nothing for ignored or repeated ones", async () => {
    const bin = startBin(["--inbox", temporaryFolder(), "--port", "0"]);
    const port = await bin.port;
    const body = `{"text":"\u2028 é \\n"}`;
    expect(await post(port, "one", body)).toBe(202);
    expect(await post(port, "one", body)).toBe(202);
    expect(await post(port, "two")).toBe(202);
    await expect.poll(() => idsIn(bin.output())).toEqual(["one", "two"]);
    const line: unknown = JSON.parse(bin.output().split("\n", 1)[0] ?? "");
    expect(line).toEqual({
      id: "one",
      event: "issues",
      source: "webhook",
      verified: true,
      receivedAt: expect.any(Number),
      bodyBase64: Buffer.from(body).toString("base64"),
    });
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s ends it, also with an open connection and a reader that never reads",
    async (signal) => {
      const folder = temporaryFolder();
      const bin = startBin(["--inbox", folder, "--port", "0"], { readOutput: false });
      const port = await bin.port;
      for (const id of ["a", "b", "c"])
        expect(await post(port, id, JSON.stringify({ id, pad: "x".repeat(200_000) }))).toBe(202);
      const idle = await openRaw(port);
      bin.child.kill(signal);
      expect(await bin.ended).toEqual({ code: 0, signal: null });
      idle.socket.destroy();
      const again = startBin(["--inbox", folder, "--port", "0"]);
      await again.port;
      await expect.poll(() => idsIn(again.output())).toEqual(["a", "b", "c"]);
    },
  );

  test("a reader that goes away ends it with 1; what it had not read comes again", async () => {
    const folder = temporaryFolder();
    const bin = startBin(["--inbox", folder, "--port", "0"], { readOutput: false });
    const port = await bin.port;
    bin.child.stdout?.destroy();
    await post(port, "a");
    expect((await bin.ended).code).toBe(1);
    expect(bin.log()).toContain("handing deliveries on failed");
    const again = startBin(["--inbox", folder, "--port", "0"]);
    await again.port;
    await expect.poll(() => idsIn(again.output())).toEqual(["a"]);
  });
});

test("D01 killed under load again and again: nothing acknowledged is lost, nothing is stored twice", async () => {
  const folder = temporaryFolder();
  const acknowledged = new Set<string>();
  const printed = new Set<string>();
  for (let round = 0; round < 6; round += 1) {
    const bin = startBin(["--inbox", folder, "--port", "0"]);
    const port = await bin.port;
    let running = true;
    const senders = Array.from({ length: 12 }, async (_, sender) => {
      for (let n = 0; running; n += 1) {
        const id = `k-${round}-${sender}-${n}`;
        const status = await post(port, id);
        if (status === 202) acknowledged.add(id);
        else running = status !== null;
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 80 + 60 * round));
    bin.child.kill("SIGKILL");
    running = false;
    await Promise.all(senders);
    await bin.ended;
    for (const id of idsIn(bin.output())) printed.add(id);
  }
  const last = startBin(["--inbox", folder, "--port", "0"]);
  await last.port;
  await expect
    .poll(
      () =>
        [...acknowledged].filter((id) => !printed.has(id) && !last.output().includes(`"${id}"`)),
      { timeout: 10_000 },
    )
    .toEqual([]);
  last.child.kill("SIGTERM");
  await last.ended;
  const stored = storedIn(await opening(folder)).map((each) => each.id);
  expect(acknowledged.size).toBeGreaterThan(50);
  expect([...acknowledged].filter((id) => !stored.includes(id))).toEqual([]);
  expect(new Set(stored).size).toBe(stored.length);
}, 60_000);
