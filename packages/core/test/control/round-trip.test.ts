import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readControl } from "../../src/control/keyword.ts";
import { isLogin } from "../../src/accounts/account.ts";
import { taken } from "../../src/decide/command-feedback.ts";
import { defaultWords, keywordText } from "../../src/control/reason-sentences.ts";
import type { ControlVerb } from "../../src/event/event.ts";
import { controlVerbs } from "../../src/event/control.ts";
import { controlEvent } from "../../src/testing/build-event.ts";
import { policyOf, targetOf } from "../../src/testing/build-state.ts";

type Keywords = Readonly<Record<ControlVerb, string>>;

const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
const joined = (units: readonly string[], max: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...units), { minLength: 1, maxLength: max })
    .map((parts) => parts.join(""));
const logins = joined([...letters, ..."ABCXYZ", "-", "_"], 39).filter(isLogin);
const names = fc
  .oneof(joined([...letters, "-"], 40), joined(letters, 40))
  .filter((name) => /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/.test(name));

/**
 * Keywords as a configuration may set them: one to four words, none inside of another
 * (config/rules/routing.ts).
 */
const word = joined([...letters, "-", "_"], 6).filter(
  (text) => /^[a-z0-9]/.test(text) && /[a-z0-9]$/.test(text),
);
const own: fc.Arbitrary<Keywords> = fc
  .uniqueArray(
    fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" ")),
    { minLength: 7, maxLength: 7 },
  )
  .filter((texts) =>
    texts.every(
      (text, i) =>
        !text.includes("instance") &&
        texts.every((other, j) => i === j || !` ${other} `.includes(` ${text} `)),
    ),
  )
  .map(([start = "", stop = "", pause = "", resume = "", cleanup = "", add = "", remove = ""]) => ({
    start,
    stop,
    pause,
    resume,
    cleanup,
    "add-collaborator": add,
    "remove-collaborator": remove,
  }));
const tables = fc.oneof(fc.constant(defaultWords.keywords), own);

const requests = fc.record({
  verb: fc.constantFrom(...controlVerbs),
  login: logins,
  address: fc.option(names, { nil: null }),
});
type Request = {
  readonly verb: ControlVerb;
  readonly login: string;
  readonly address: string | null;
};

const isGrant = (verb: ControlVerb): boolean =>
  verb === "add-collaborator" || verb === "remove-collaborator";

/** The request as a person types it. */
function format({ verb, login, address }: Request, keywords: Keywords): string {
  return `${keywordText(verb, { keywords })}${isGrant(verb) ? ` @${login}` : ""}${address === null ? "" : ` instance:${address}`}`;
}

function read({ verb, login, address }: Request): object {
  return { kind: "command", verb, login: isGrant(verb) ? login : null, address };
}

describe("keywords and addresses", () => {
  it("are read back as they were written, whatever the configuration calls them", () => {
    fc.assert(
      fc.property(requests, tables, (request, keywords) => {
        expect(readControl(format(request, keywords), keywords)).toEqual(read(request));
      }),
      { numRuns: 5000 },
    );
  });

  it("are read back in any case, with any blanks, among other paragraphs, and beside quotes and code that say something else", () => {
    const around = fc.constantFrom(
      "",
      "Hello.\n\n",
      "> loop stop\n\n",
      "```\nloop pause instance:x\n```\n\n",
      "<!-- loop cleanup -->\n\n",
      "- `loop resume`\n\n",
      "1 < 2\r\n\r\n",
    );
    fc.assert(
      fc.property(
        requests,
        fc.array(around, { maxLength: 3 }),
        fc.boolean(),
        fc.constantFrom(" ", "  ", "\t", " \t "),
        (request, before, upper, blank) => {
          const keyword = keywordText(request.verb, defaultWords);
          const typed = (upper ? keyword.toUpperCase() : keyword).replaceAll(" ", blank);
          const text = `${before.join("")}${format(request, defaultWords.keywords).replace(keyword, typed)}\n\n${before.toReversed().join("")}`;
          expect(readControl(text, defaultWords.keywords)).toEqual(read(request));
        },
      ),
      { numRuns: 5000 },
    );
  });

  it("P10: the echo of a request from the command line is read as none", () => {
    fc.assert(
      fc.property(requests, tables, (request, keywords) => {
        const order = {
          verb: request.verb,
          login: isGrant(request.verb) ? request.login : null,
          address: request.address,
          by: "operator",
          on: null,
          at: null,
        };
        const { effects } = taken(
          order,
          { kind: "stopped", by: "operator" },
          "stop-requested",
          [],
          controlEvent({ verb: "stop", login: null, instance: null }),
          targetOf(),
          policyOf({ keywords }),
        );
        const [echo] = effects;
        expect(echo?.kind === "reply" && readControl(echo.text, keywords)).toEqual({
          kind: "none",
          address: null,
        });
      }),
      { numRuns: 2000 },
    );
  });

  it("an address that is off the grammar is none, and one that is on it is the whole of it", () => {
    fc.assert(
      fc.property(
        fc.oneof(names, joined([...letters, "-", "_", "/", "A", "é", "."], 45)),
        (name) => {
          const reading = readControl(`loop start instance:${name} please`, defaultWords.keywords);
          const bare = name.replace(/[.]+$/, "");
          const valid = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/.test(bare);
          expect(reading).toEqual({
            kind: "command",
            verb: "start",
            login: null,
            address: valid ? bare : null,
          });
        },
      ),
      { numRuns: 5000 },
    );
  });
});
