import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defaultConfig } from "../../src/config/defaults.ts";
import { parseConfig } from "../../src/config/parse.ts";
import { formatProblem } from "../../src/config/problem.ts";
import { documentLimits } from "../../src/config/document.ts";

const file = "cli-config.yaml";
const codesOf = (text: string): readonly string[] => {
  const parsed = parseConfig(text, { file });
  return parsed.ok ? [] : parsed.errors.map(({ path, code }) => `${path} ${code}`);
};
const errorOf = (
  text: string,
): {
  path: string;
  line: number | null;
  column: number | null;
  code: string;
  message: string;
  hint: string;
} => {
  const parsed = parseConfig(text, { file });
  if (parsed.ok || parsed.errors[0] === undefined) throw new Error("expected an error");
  return parsed.errors[0];
};

describe("what a file says", () => {
  test.each([
    "",
    "\n",
    "# nothing\n",
    "---\n",
    "null\n",
    "routing:\n",
    "routing:\n  # authorizedUsers: [x]\n",
  ])("%j means every default", (text) => {
    const parsed = parseConfig(text, { file });
    expect(parsed).toMatchObject({ ok: true, config: defaultConfig, warnings: [] });
  });

  test("keys that are set stand in the configuration and, with their places, in `set`", () => {
    const parsed = parseConfig(
      "routing:\n  authorizedUsers: [Alice]\n  budget:\n    usd: 2.5\npolling: {enabled: true}\n",
      { file },
    );
    if (!parsed.ok) throw new Error("refused");
    expect(parsed.config.routing.authorizedUsers).toEqual(["Alice"]);
    expect(parsed.config.routing.budget).toEqual({ turns: null, usd: 2.5, minutes: null });
    expect(parsed.config.polling).toEqual({ enabled: true, intervalSeconds: 60 });
    expect([...parsed.set]).toEqual([
      ["routing.authorizedUsers", { line: 2, column: 20 }],
      ["routing.budget.usd", { line: 4, column: 10 }],
      ["polling.enabled", { line: 5, column: 20 }],
    ]);
  });

  test("an empty list of events means the default set, another one narrows it", () => {
    const empty = parseConfig("webhooks: {hostWebhook: {events: []}}", { file });
    const one = parseConfig("webhooks: {hostWebhook: {events: [issues]}}", { file });
    expect(empty.ok && empty.config.webhooks.hostWebhook.events).toHaveLength(9);
    expect(one.ok && one.config.webhooks.hostWebhook.events).toEqual(["issues"]);
  });

  test("critics and notifications are lists of maps with their own defaults", () => {
    const parsed = parseConfig(
      "critics: [{name: security}]\nnotify:\n  - command: [notify-send]\n  - {on: [held], url: 'https://hook.example/x'}\n",
      { file },
    );
    if (!parsed.ok) throw new Error("refused");
    expect(parsed.config.critics).toEqual([
      {
        name: "security",
        command: [],
        deadlineSeconds: 600,
        harness: null,
        prompt: null,
        passEnv: [],
      },
    ]);
    expect(parsed.config.notify).toEqual([
      {
        on: ["held", "uncertain", "waiting", "failed"],
        command: ["notify-send"],
        url: null,
        passEnv: [],
        allowInsecureHttp: false,
      },
      {
        on: ["held"],
        command: [],
        url: "https://hook.example/x",
        passEnv: [],
        allowInsecureHttp: false,
      },
    ]);
    expect(codesOf("critics: [{harness: A}]")).toEqual(["critics[0].name LOOP_E_CONFIG_MISSING"]);
    expect(codesOf("critics: [{name: x, nmae: y}]")).toEqual([
      "critics[0].nmae LOOP_E_CONFIG_UNKNOWN_KEY",
    ]);
  });

  test("an unrecognised interaction mode warns and means work-item", () => {
    const parsed = parseConfig("routing: {interaction: {mode: tui}}", { file });
    expect(parsed).toMatchObject({
      ok: true,
      config: { routing: { interaction: { mode: "work-item" } } },
      warnings: [{ path: "routing.interaction.mode", code: "LOOP_W_CONFIG_VALUE" }],
    });
  });

  test("anchors may be used within bounds", () => {
    const parsed = parseConfig(
      "routing: {authorizedUsers: &people [alice, bob]}\nservice: {allowedHosts: *people}\n",
      { file },
    );
    expect(parsed.ok && parsed.config.service.allowedHosts).toEqual(["alice", "bob"]);
  });
});

describe("errors come as a list with path, line, column and hint", () => {
  test("all of them at once, in the order of the file", () => {
    expect(
      codesOf(
        "poling: {enabled: true}\nrouting:\n  autorizedUsers: [a]\n  maxConcurrentTurns: 0\n  runner: tmuxx\n",
      ),
    ).toEqual([
      "poling LOOP_E_CONFIG_UNKNOWN_KEY",
      "routing.autorizedUsers LOOP_E_CONFIG_UNKNOWN_KEY",
      "routing.maxConcurrentTurns LOOP_E_CONFIG_RANGE",
      "routing.runner LOOP_E_CONFIG_VALUE",
    ]);
  });

  test("an unknown key names the nearest one", () => {
    const error = errorOf("routing:\n  autorizedUsers: [a]\n");
    expect(error).toMatchObject({
      path: "routing.autorizedUsers",
      line: 2,
      column: 3,
      hint: "did you mean authorizedUsers?",
    });
    expect(formatProblem(error as never, file)).toBe(
      'cli-config.yaml:2:3: routing.autorizedUsers: "autorizedUsers" is not a key here; did you mean authorizedUsers? (LOOP_E_CONFIG_UNKNOWN_KEY)',
    );
  });

  test("a key far from all others lists what there is", () => {
    expect(errorOf("polling: {zzzzzzzz: 1}").hint).toBe("keys here: enabled, intervalSeconds");
  });

  test("keys of the prototype are unknown keys", () => {
    expect(codesOf("__proto__: {x: 1}\nrouting: {constructor: 1, hasOwnProperty: 2}")).toEqual([
      "__proto__ LOOP_E_CONFIG_UNKNOWN_KEY",
      "routing.constructor LOOP_E_CONFIG_UNKNOWN_KEY",
      "routing.hasOwnProperty LOOP_E_CONFIG_UNKNOWN_KEY",
    ]);
    expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
  });

  test("a key for a secret says where the secret belongs", () => {
    expect(errorOf("webhooks: {hostWebhook: {secret: hunter2hunter2}}")).toMatchObject({
      code: "LOOP_E_CONFIG_SECRET",
      hint: expect.stringContaining("secretEnv"),
    });
  });

  test.each([
    ["a list for a map", "routing: [1]", "routing LOOP_E_CONFIG_TYPE"],
    ["text for a map", "routing: on", "routing LOOP_E_CONFIG_TYPE"],
    [
      "a map for a list",
      "routing: {authorizedUsers: {a: 1}}",
      "routing.authorizedUsers LOOP_E_CONFIG_TYPE",
    ],
    [
      "text for a list",
      "routing: {authorizedUsers: alice}",
      "routing.authorizedUsers LOOP_E_CONFIG_TYPE",
    ],
    ["a number for text", "instance: {name: 5}", "instance.name LOOP_E_CONFIG_TYPE"],
    [
      "a number in a list of text",
      "routing: {authorizedUsers: [12345]}",
      "routing.authorizedUsers[0] LOOP_E_CONFIG_TYPE",
    ],
    ["yes for a boolean", "polling: {enabled: yes}", "polling.enabled LOOP_E_CONFIG_TYPE"],
    ["true in quotes", 'polling: {enabled: "true"}', "polling.enabled LOOP_E_CONFIG_TYPE"],
    ["nothing for a boolean", "polling: {enabled: }", "polling.enabled LOOP_E_CONFIG_TYPE"],
    ["a list at the top", "- a", " LOOP_E_CONFIG_TYPE"],
    ["a word at the top", "hello", " LOOP_E_CONFIG_TYPE"],
    [
      "an unknown event",
      "webhooks: {hostWebhook: {events: [issue]}}",
      "webhooks.hostWebhook.events[0] LOOP_E_CONFIG_VALUE",
    ],
    [
      "a login with @",
      "routing: {authorizedUsers: ['@alice']}",
      "routing.authorizedUsers[0] LOOP_E_CONFIG_VALUE",
    ],
    [
      "a repository without owner",
      "routing: {repositories: [widgets]}",
      "routing.repositories[0] LOOP_E_CONFIG_VALUE",
    ],
    [
      "a repository that climbs",
      "routing: {repositories: [acme/..]}",
      "routing.repositories[0] LOOP_E_CONFIG_VALUE",
    ],
    [
      "an instance name in capitals",
      "instance: {name: Build}",
      "instance.name LOOP_E_CONFIG_VALUE",
    ],
    [
      "an instance name that ends in a hyphen",
      "instance: {name: a-}",
      "instance.name LOOP_E_CONFIG_VALUE",
    ],
    [
      "an instance name of 41 characters",
      `instance: {name: ${"a".repeat(41)}}`,
      "instance.name LOOP_E_CONFIG_VALUE",
    ],
    [
      "a work item that is no ref",
      "instance: {scope: {workItems: ['acme/widgets#1']}}",
      "instance.scope.workItems[0] LOOP_E_CONFIG_VALUE",
    ],
    [
      "a keyword with a line break",
      'routing: {control: {keywords: {start: "loop\\nstart"}}}',
      "routing.control.keywords.start LOOP_E_CONFIG_VALUE",
    ],
    ["a NUL in a path", 'state: {root: "a\\0b"}', "state.root LOOP_E_CONFIG_VALUE"],
    ["a NUL in an argument", 'harnessArgs: ["a\\0b"]', "harnessArgs[0] LOOP_E_CONFIG_VALUE"],
    [
      "a host with a scheme",
      "integrations: {codeHost: {host: 'https://code.example'}}",
      "integrations.codeHost.host LOOP_E_CONFIG_VALUE",
    ],
  ])("%s", (_, text, expected) => expect(codesOf(text)).toEqual([expected]));
});

describe("C01 hostile configuration files", () => {
  test.each(["8787", "1", "65535"])("port %s is fine", (port) => {
    const parsed = parseConfig(`webhooks: {hostWebhook: {port: ${port}}}`, { file });
    expect(parsed.ok && parsed.config.webhooks.hostWebhook.port).toBe(Number(port));
  });

  test.each([
    ['"8787"', "LOOP_E_CONFIG_TYPE", "remove the quotes"],
    ["1e3", "LOOP_E_CONFIG_TYPE", "write it out such as 1000"],
    ["0x2253", "LOOP_E_CONFIG_TYPE", "write it out such as 8787"],
    ["8787.0", "LOOP_E_CONFIG_TYPE", "write it out such as 8787"],
    ["08787", "LOOP_E_CONFIG_TYPE", "write it out such as 8787"],
    ["+8787", "LOOP_E_CONFIG_TYPE", "write it out such as 8787"],
    ["0", "LOOP_E_CONFIG_RANGE", "choose a number from 1 to 65535"],
    ["-1", "LOOP_E_CONFIG_RANGE", "choose a number from 1 to 65535"],
    ["65536", "LOOP_E_CONFIG_RANGE", "choose a number from 1 to 65535"],
    [".inf", "LOOP_E_CONFIG_TYPE", "write a number from 1 to 65535"],
    [".nan", "LOOP_E_CONFIG_TYPE", "write a number from 1 to 65535"],
    ["99999999999999999999", "LOOP_E_CONFIG_TYPE", "write a number from 1 to 65535"],
    ["8787x", "LOOP_E_CONFIG_TYPE", "write a number from 1 to 65535"],
    ["true", "LOOP_E_CONFIG_TYPE", "write a number from 1 to 65535"],
  ])("port %s is refused", (port, code, hint) => {
    expect(errorOf(`webhooks:\n  hostWebhook:\n    port: ${port}\n`)).toMatchObject({
      path: "webhooks.hostWebhook.port",
      line: 3,
      column: 11,
      code,
      hint,
    });
  });

  test("a bomb of aliases is bounded", () => {
    const bomb = [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      ...Array.from(
        { length: 8 },
        (_, i) =>
          `${"bcdefghi"[i]}: &${"bcdefghi"[i]} [${Array.from({ length: 9 }, () => `*${"abcdefgh"[i]}`).join(",")}]`,
      ),
    ].join("\n");
    expect(errorOf(bomb)).toMatchObject({
      code: "LOOP_E_CONFIG_ALIAS",
      message: "aliases make the file too large",
    });
  });

  test("an alias to itself and an alias to nothing end", () => {
    expect(codesOf("routing: &r {control: *r}")).toEqual([
      expect.stringContaining("LOOP_E_CONFIG_ALIAS"),
    ]);
    expect(codesOf("routing: *nobody")).toEqual(["routing LOOP_E_CONFIG_ALIAS"]);
  });

  test("the first alias that cannot be written out is the one problem that is told", () => {
    expect(codesOf("routing: *nobody\npolling: *nobody")).toEqual(["routing LOOP_E_CONFIG_ALIAS"]);
    expect(codesOf("routing: {}\nrouting: *nobody")).toEqual(["routing LOOP_E_CONFIG_ALIAS"]);
  });

  test.each(["!!str loop", "!!python/object:os.system x", "!secret x", "! x", "!!int 5"])(
    "the tag of %j is refused",
    (value) => {
      expect(errorOf(`instance:\n  name: ${value}\n`)).toMatchObject({
        line: 2,
        code: "LOOP_E_CONFIG_TAG",
      });
    },
  );

  test("a tab as indentation is named as one", () => {
    expect(errorOf("routing:\n\tenabled: true\n")).toMatchObject({
      line: 2,
      code: "LOOP_E_CONFIG_TAB",
      hint: "indent with blanks",
    });
  });

  test("duplicate keys are refused with the path", () => {
    expect(errorOf("routing:\n  enabled: true\n  enabled: false\n")).toMatchObject({
      path: "routing.enabled",
      line: 3,
      code: "LOOP_E_CONFIG_DUPLICATE_KEY",
    });
  });

  test("two documents, merge keys and keys that are lists are refused", () => {
    expect(errorOf("---\nrouting: {}\n---\nrouting: {}\n").message).toContain(
      "more than one document",
    );
    expect(codesOf("<<: {routing: {}}")).toEqual(["<< LOOP_E_CONFIG_UNKNOWN_KEY"]);
    expect(codesOf("? [a]\n: b")).toEqual([" LOOP_E_CONFIG_SYNTAX"]);
  });

  test.each([
    ["brackets", "[".repeat(100_000)],
    ["braces", "{a: ".repeat(30_000)],
    ["dashes, which would bring the parser's process down", "- ".repeat(60_000)],
    ["question marks", "? ".repeat(60_000)],
    [
      "steps of indentation",
      Array.from({ length: 400 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
    ],
  ])("deep nesting by %s is refused", (_, text) => {
    const parsed = parseConfig(text, { file });
    expect(parsed.ok).toBe(false);
  });

  test("a huge file is refused before it is parsed", () => {
    expect(errorOf("#".repeat(documentLimits.characters + 1))).toMatchObject({
      code: "LOOP_E_CONFIG_TOO_LARGE",
    });
  });

  test.each([
    `ghp_${"0aB9".repeat(9)}`,
    `sk-${"a1B2".repeat(8)}`,
    "hunter2!",
    "correct horse battery",
    "s3cr3tPassw0rd",
    "0123456789abcdef".repeat(2),
    "DEADBEEF01234567".repeat(2),
    "a".repeat(64),
  ])("a literal secret %# where a variable's name belongs is refused and not echoed", (secret) => {
    for (const path of [
      ["webhooks", "hostWebhook", "secretEnv"],
      ["webhooks", "hostWebhook", "previousSecretEnv"],
      ["integrations", "codeHost", "tokenEnv"],
      ["store", "urlEnv"],
    ]) {
      const text = `${path.map((key, i) => `${"  ".repeat(i)}${key}:`).join("\n")} ${JSON.stringify(secret)}\n`;
      const error = errorOf(text);
      expect(error).toMatchObject({ path: path.join("."), code: "LOOP_E_CONFIG_SECRET" });
      expect(JSON.stringify(error)).not.toContain(secret.slice(0, 6));
    }
  });

  test.each(["LOOP_HOST_WEBHOOK_SECRET", "secret", "MY_TOKEN_2", "GH_TOKEN", "hook_secret_v2"])(
    "the name %s is a name",
    (name) => {
      expect(codesOf(`webhooks: {hostWebhook: {secretEnv: ${name}}}`)).toEqual([]);
    },
  );

  test("a PostgreSQL URL in the file is refused and its password not echoed", () => {
    const error = errorOf("store: {url: 'postgres://loop:pass-word@db/loop'}");
    expect(error.code).toBe("LOOP_E_CONFIG_SECRET");
    expect(JSON.stringify(error)).not.toContain("pass-word");
  });

  test("control and hidden characters of a value do not reach a message", () => {
    const error = errorOf('routing: {runner: "\\u001b[31mtmux\\u202e\\u200b"}');
    expect(`${error.message}${error.hint}`).not.toMatch(/[\u0000-\u001f\u200b\u202e]/);
  });

  test("any text is answered, never thrown", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc
            .array(
              fc.constantFrom(
                "routing:",
                " ",
                "  ",
                "\n",
                "-",
                "?",
                "[",
                "]",
                "{",
                "}",
                "&a",
                "*a",
                "!!",
                "|",
                ">",
                '"',
                "'",
                "#",
                "enabled",
                ":",
                "\t",
                "8",
                "...",
              ),
              { maxLength: 60 },
            )
            .map((parts) => parts.join("")),
        ),
        (text) => {
          const parsed = parseConfig(text, { file });
          return parsed.ok || parsed.errors.length > 0;
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("aliases of keys", () => {
  test("webhooks.hostWebhook.routing is routing", () => {
    const parsed = parseConfig(
      "webhooks: {hostWebhook: {routing: {authorizedUsers: [alice], coalesce: {quietSeconds: 1}}}}",
      { file },
    );
    expect(parsed.ok && parsed.config.routing.authorizedUsers).toEqual(["alice"]);
    expect(parsed.ok && parsed.config.routing.coalesce).toEqual({
      quietSeconds: 1,
      maxSeconds: 30,
    });
    expect(parsed.ok && "routing" in parsed.config.webhooks.hostWebhook).toBe(false);
  });

  test("the same key set alike in both is fine, set differently is an error", () => {
    expect(
      codesOf("routing: {enabled: false}\nwebhooks: {hostWebhook: {routing: {enabled: false}}}"),
    ).toEqual([]);
    expect(
      errorOf("routing: {enabled: true}\nwebhooks: {hostWebhook: {routing: {enabled: false}}}"),
    ).toMatchObject({
      path: "webhooks.hostWebhook.routing.enabled",
      line: 2,
      code: "LOOP_E_CONFIG_CONFLICT",
      message: "is set differently at routing.enabled in line 1",
    });
  });

  test("different keys of both come together", () => {
    const parsed = parseConfig(
      "routing: {enabled: false}\nwebhooks: {hostWebhook: {routing: {runner: tmux}}}",
      { file },
    );
    expect(parsed.ok && parsed.config.routing).toMatchObject({ enabled: false, runner: "tmux" });
  });

  test("an error inside of the alias names the place in the file", () => {
    expect(codesOf("webhooks: {hostWebhook: {routing: {runner: nope}}}")).toEqual([
      "webhooks.hostWebhook.routing.runner LOOP_E_CONFIG_VALUE",
    ]);
    expect(
      codesOf("routing: {runner: tmux}\nwebhooks: {hostWebhook: {routing: {runner: nope}}}"),
    ).toEqual(["webhooks.hostWebhook.routing.runner LOOP_E_CONFIG_VALUE"]);
  });

  test("harnessArgs are the arguments of the default harness, wherever that is set", () => {
    const a = parseConfig("harnessArgs: [--model, x]", { file });
    const b = parseConfig(
      "harnessArgs: [--model, x]\nwebhooks: {hostWebhook: {routing: {defaultHarness: B}}}",
      { file },
    );
    expect(a.ok && a.config.harnesses.A.args).toEqual(["--model", "x"]);
    expect(b.ok && [b.config.harnesses.A.args, b.config.harnesses.B.args]).toEqual([
      [],
      ["--model", "x"],
    ]);
    expect(codesOf("harnessArgs: [--x]\nharnesses: {A: {args: [--y]}}")).toEqual([
      "harnessArgs LOOP_E_CONFIG_CONFLICT",
    ]);
  });
});
