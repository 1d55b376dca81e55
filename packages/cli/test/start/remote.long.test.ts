import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { remoteCommands } from "../../src/remote/remote-commands.ts";
import { operations } from "../../src/start/remote.ts";
import { createScene, type Scene } from "../support/scene.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

/** A person at another machine: no configuration, no store, only the token. */
function elsewhere(token: string): Scene {
  const scene = createScene();
  delete scene.env["LOOP_CONFIG"];
  scene.env["LOOP_REMOTE_TOKEN"] = token;
  return scene;
}

test("every operation of the table is a command, and the usual words lead to operations", () => {
  const commands = remoteCommands(operations);
  for (const { name } of operations)
    expect(commands.filter(({ words }) => words === name)).toHaveLength(1);
  expect(new Set(commands.map(({ words }) => words)).size).toBe(commands.length);
  expect(commands.find(({ words }) => words === "sessions pause")).toMatchObject({
    fixed: { verb: "pause" },
    args: [{ name: "ref" }],
    options: [{ name: "instance" }],
  });
  expect(
    commands.find(({ words }) => words === "events")?.options.map(({ typed }) => typed),
  ).toEqual(["cursor", "limit", "type", "work-item", "delivery", "since"]);
});

describe("a service that is asked from elsewhere", () => {
  test(
    "REST, MCP and the command line agree on every operation that reads",
    { timeout: 180_000 },
    async () => {
      const world = await createWorld();
      await world.host.commit({
        branch: "side",
        message: "Side",
        files: { "side.txt": "side\n" },
        by: "ada",
      });
      const pull = (await world.host.openPull({ title: "Side", head: "side", by: "ada" })).number;
      const service = await startService(world);
      const number = world.startIssue("{{stub:text watered}}");
      const ref = world.ref(number);
      await until(
        async () =>
          JSON.stringify((await service.get("/api/v1/turns?state=done")).body).includes('"id":1'),
        "the first turn",
      );
      await until(
        async () =>
          JSON.stringify((await service.get("/api/v1/turns?state=injecting")).body).includes(
            '"items":[]',
          ),
        "nothing runs",
      );
      const { items } = (await service.get("/api/v1/deliveries")).body as {
        items: { id: string }[];
      };
      const client = new Client({ name: "test", version: "1.0.0" });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
          requestInit: { headers: { authorization: `Bearer ${service.token}` } },
        }),
      );
      onTestFinished(() => client.close());

      const scene = elsewhere(service.token);
      const compared: string[] = [];
      for (const { name, kind, tool, route } of operations.filter((each) => each.kind === "read")) {
        const input: Record<string, unknown> = {
          ...(route.path.includes("{ref}") ? { ref } : {}),
          ...(route.path.includes("{id}") ? { id: items[0]?.id } : {}),
          ...(name === "replay" ? { since: 0 } : {}),
        };
        const args = Object.values(input).map(String);
        const path = `/api/v1${Object.entries(input).reduce((text, [field, value]) => text.replace(`{${field}}`, encodeURIComponent(String(value))), route.path)}`;
        const rest = await (name === "replay"
          ? service.send("POST", path, input)
          : service.get(path));
        const ran = await scene.loop(name, ...args, "--remote", service.url, "--json");
        expect(ran.code, ran.out + ran.err).toBe(0);
        expect(still(ran.json()), `${kind} ${name}`).toEqual(still(rest.body));
        if (tool !== null) {
          const { structuredContent } = await client.callTool({ name, arguments: input });
          expect(still(rest.body)).toMatchObject(still(structuredContent) as object);
          compared.push(name);
        }
      }
      expect(compared.length).toBeGreaterThan(10);
      expect(await scene.loop("sessions", "show", ref, "--remote", service.url)).toMatchObject({
        code: 0,
        out: expect.stringMatching(/Water the garden|started/),
        err: "",
      });
      expect(
        (
          await scene.loop(
            "events",
            "--remote",
            service.url,
            "--type",
            "turn.done",
            "--since",
            "1h",
          )
        ).out,
      ).toContain("the harness itself said so");

      const steer = async (...argv: string[]): Promise<unknown> => {
        const { code, out, err } = await scene.loop(...argv, "--remote", service.url);
        return { code, text: out + err };
      };
      expect(await steer("sessions", "pause", ref)).toMatchObject({
        code: 0,
        text: expect.stringContaining("done"),
      });
      expect(await steer("sessions", "start", ref)).toMatchObject({
        code: 1,
        text: expect.stringContaining("resume"),
      });
      expect(await steer("add-collaborator", ref, "grace")).toMatchObject({ code: 0 });
      expect(await steer("remove-collaborator", ref, "@grace")).toMatchObject({ code: 0 });
      expect(await steer("sessions", "link-pr", ref, String(pull))).toMatchObject({
        code: 0,
        text: expect.stringContaining(`#${pull}`),
      });
      expect(await steer("sessions", "link-pr", ref, "99")).toMatchObject({
        code: 2,
        text: expect.stringContaining("LOOP_E_NO_ITEM"),
      });
      expect(await steer("turns", "retry", "1")).toMatchObject({ code: 1 });
      expect(await steer("turns", "retry", "99")).toMatchObject({
        code: 2,
        text: expect.stringContaining("LOOP_E_UNKNOWN_TURN"),
      });
      expect(await steer("list-work-items", "--limit", "0")).toMatchObject({
        code: 2,
        text: expect.stringMatching(/LOOP_E_INPUT[^]*limit:/),
      });
      scene.env["LOOP_TURN"] = "1";
      expect(await steer("sessions", "resume", ref)).toMatchObject({
        code: 2,
        text: expect.stringContaining("LOOP_E_INSIDE_TURN"),
      });
      delete scene.env["LOOP_TURN"];
      scene.env["CLAUDECODE"] = "1";
      expect(await steer("add-collaborator", ref, "grace")).toMatchObject({
        code: 2,
        text: expect.stringContaining("LOOP_E_INSIDE_TURN"),
      });
      expect(
        (await service.get(`/api/v1/work-items/${encodeURIComponent(ref)}`)).body,
      ).toMatchObject({
        workItem: {
          control: { status: "paused", source: "api" },
          collaborators: [],
          pullRequests: [{ pullRequest: world.ref(pull) }],
        },
      });
    },
  );

  test("A03 the token comes from the environment or a file of one's own, and goes nowhere but there", async () => {
    const scene = elsewhere("x".repeat(40));
    const status = (url: string): ReturnType<Scene["loop"]> =>
      scene.loop("show-health", "--remote", url);
    expect((await status("http://127.0.0.1:9")).err).toContain("LOOP_E_REMOTE)");
    for (const url of [
      "http://example.invalid:4114",
      "ftp://127.0.0.1",
      "127.0.0.1:4114",
      "http://127.0.0.1:4114/#token=x",
      "http://user:word@127.0.0.1:4114",
    ])
      expect((await status(url)).err, url).toContain("LOOP_E_REMOTE_ADDRESS");
    delete scene.env["LOOP_REMOTE_TOKEN"];
    expect((await status("http://127.0.0.1:9")).err).toContain("LOOP_E_REMOTE_TOKEN");
    const file = join(scene.dir, "token");
    scene.env["LOOP_REMOTE_TOKEN_FILE"] = file;
    writeFileSync(file, `${"y".repeat(40)}\n`, { mode: 0o644 });
    expect((await status("http://127.0.0.1:9")).err).toContain("LOOP_E_TOKEN_FILE");
    chmodSync(file, 0o600);
    expect((await status("http://127.0.0.1:9")).err).toContain("LOOP_E_REMOTE)");
  });

  test("its help lists what can be asked; what is no operation is a usage error", async () => {
    const scene = elsewhere("x".repeat(40));
    const help = await scene.loop("--remote", "http://127.0.0.1:9", "--help");
    expect(help).toMatchObject({
      code: 0,
      out: expect.stringMatching(/show-work-item[^]*sessions/),
    });
    expect(await scene.loop("logs", "--remote", "http://127.0.0.1:9")).toMatchObject({
      code: 2,
      err: expect.stringContaining("LOOP_E_USAGE"),
    });
    expect((await scene.loop("--help")).out).toContain("--remote <url>");
  });
});

/** Without what differs from one asking to the next. */
function still(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value: unknown) =>
      key === "until" || key === "services" ? undefined : value,
    ),
  );
}

test("a bare --remote shows what can be asked, exit 0, as `loop` alone does", async () => {
  expect(await elsewhere("x".repeat(40)).loop("--remote", "http://127.0.0.1:9")).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringMatching(/Run commands on a service at another address[^]*show-work-item/),
  });
});
