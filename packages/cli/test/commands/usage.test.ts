import { expect, test } from "vitest";
import { counted } from "../../src/output/pluralize.ts";
import { createScene } from "../support/scene.ts";

test.each([
  [["strat"], "LOOP_E_USAGE", "Did you mean start?"],
  [["start", "--nope"], "LOOP_E_USAGE", "Run `loop start --help`"],
  [["why"], "LOOP_E_USAGE", "`loop why --help`"],
  [["turns", "retry", "7"], "LOOP_E_UNKNOWN_TURN", "loop turns list"],
  [["turns", "retry", "1e3"], "LOOP_E_USAGE", "digits"],
  [["turns", "drop", "0x1"], "LOOP_E_USAGE", "digits"],
  [["turns", "list", "--limit", "1e3"], "LOOP_E_USAGE", "1 to 10000"],
  [["events", "--type", "nonsense"], "LOOP_E_USAGE", "delivery.decided, turn.queued"],
  [["why", "host:../..#1"], "LOOP_E_REF", "<owner>/<repo>#<number>"],
  [["why", "garden#1"], "LOOP_E_REF", "<owner>/<repo>#<number>"],
  [["turns", "list", "--limit", "x"], "LOOP_E_USAGE", "1 to 10000"],
  [["turns", "list", "--state", "tired"], "LOOP_E_USAGE", "queued, running"],
  [["events", "--since", "soonish"], "LOOP_E_USAGE", "30m"],
  [["events", "--work-item", "garden"], "LOOP_E_REF", "<owner>/<repo>#<number>"],
  [["sessions", "show"], "LOOP_E_USAGE", "--work-item"],
  [["sessions", "register", "--work-item", "x"], "LOOP_E_REF", "<owner>/<repo>#<number>"],
  [["comment"], "LOOP_E_EMPTY_COMMENT", "standard input"],
  [["ask", "what?"], "LOOP_E_OUTSIDE_TURN", "loop comment"],
  [["daemon", "gardener"], "LOOP_E_USAGE", "service, host-webhook and poller"],
  [["completion", "tcsh"], "LOOP_E_USAGE", "bash"],
  [["help", "gardener"], "LOOP_E_USAGE", "Run `loop --help`"],
  [["help", "strat"], "LOOP_E_USAGE", "Did you mean start?"],
  [["help", "sessions", "shwo"], "LOOP_E_USAGE", "Did you mean show?"],
  [["status", "--config", ""], "LOOP_E_USAGE", "leave it out"],
  [
    ["init", "--yes", "--repository", "ada/garden", "--user", "ada", "--config", ""],
    "LOOP_E_USAGE",
    "leave it out",
  ],
  [
    ["init", "--yes", "--repository", "ada/garden", "--user", "ada", "--config", ".", "--force"],
    "LOOP_E_CONFIG_UNREADABLE",
    "name the file in it",
  ],
  [
    ["init", "--yes", "--repository", "../..", "--user", "ada", "--force"],
    "LOOP_E_INIT_REPOSITORY",
    "owner/name",
  ],
  [["status", "--config", "."], "LOOP_E_CONFIG_UNREADABLE", "name the file in it"],
  [["--config", "nowhere.yaml", "status"], "LOOP_E_CONFIG_MISSING", "loop init"],
])(
  "loop %j is an error with a code and a hint, exit 2, and no trace of the program",
  async (argv, code, hint) => {
    const scene = createScene();
    const ran = await scene.loop(...argv);
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toContain(`(${code})`);
    expect(ran.err).toContain("→ ");
    expect(ran.err).toContain(hint);
    expect(ran.err).not.toMatch(/\n\s+at /);

    const asJson = await scene.loop(...argv, "--json");
    expect(asJson).toMatchObject({ code: 2, err: "" });
    expect(asJson.json()).toMatchObject({ error: { code, hint: expect.any(String) } });
  },
);

test("`loop help` shows a command of two words as it shows one of one", async () => {
  expect(await createScene().loop("help", "sessions", "show")).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringContaining("Usage: loop sessions show"),
  });
  expect(await createScene().loop("help", "sessions")).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringContaining("Usage: loop sessions [options]"),
  });
  expect(await createScene().loop("help", "start")).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringContaining("Usage: loop start"),
  });
});

test("a bug of ours says so in one line and asks to be reported", async () => {
  const scene = createScene();
  Object.defineProperty(scene.env, "LOOP_TURN", {
    get: () => {
      throw new Error("boom");
    },
  });
  const ran = await scene.loop("comment", "hi");
  expect(ran).toMatchObject({ code: 2, err: expect.stringContaining("LOOP_E_BUG") });
  expect(ran.err).not.toMatch(/\n\s+at /);
});

test("a reference is taken without `host:` and as the address of an issue or pull request, wherever one is typed", async () => {
  const scene = createScene("integrations: { codeHost: { host: code.example } }\n");
  for (const words of [
    ["why"],
    ["sessions", "show"],
    ["events", "--work-item"],
    ["turns", "list", "--work-item"],
  ]) {
    const [asked, ...others] = await Promise.all(
      [
        "host:ada/garden#1",
        "ada/garden#1",
        "https://code.example/ada/garden/issues/1",
        "https://code.example/ada/garden/pull/1/files",
      ].map((ref) => scene.loop(...words, ref)),
    );
    expect(asked?.err, words.join(" ")).toBe("");
    for (const other of others)
      expect(other, words.join(" ")).toMatchObject({ code: asked?.code, out: asked?.out, err: "" });
  }
});

test("what is unknown is a no, whether a delivery or a work item was asked for", async () => {
  const scene = createScene();
  expect(await scene.loop("why", "nope")).toMatchObject({
    code: 1,
    err: "",
    out: expect.stringMatching(/^No delivery "nope" here\n→ Run `loop events/),
  });
  expect((await scene.loop("why", "nope", "--json")).json()).toEqual({ delivery: null });
  expect(await scene.loop("why", "host:ada/garden#1")).toMatchObject({ code: 1, err: "" });
});

test("`config show --effective` puts no more than a hundred columns in the way of where a value comes from", async () => {
  const { out } = await createScene().loop("config", "show", "--effective");
  const short = out.split("\n").filter((line) => line.startsWith("service.port "));
  expect(short[0]?.trimEnd()).toMatch(/^service\.port +default +on restart +4114$/);
});

test("counts name their noun, in the singular for one", async () => {
  expect((await createScene().loop("status")).out).toContain(
    "Deliveries: 0 queued. Turns: 0 queued, 0 running, 0 done. Side effects: 0 pending.",
  );
  expect(counted(1, "delivery waits", "deliveries wait")).toBe("1 delivery waits");
  expect(counted(2, "delivery waits", "deliveries wait")).toBe("2 deliveries wait");
});

test("`service uninstall --dry-run` says that there is nothing to remove", async () => {
  expect(await createScene().loop("service", "uninstall", "--dry-run")).toMatchObject({
    code: 0,
    out: "Nothing is installed\n",
  });
});
