import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readControl } from "../../src/control/keyword.ts";
import { withoutControl } from "../../src/control/without-control.ts";
import { defaultWords } from "../../src/control/reason-sentences.ts";

const { keywords } = defaultWords;

describe("the comment without what is for the service", () => {
  it.each([
    ["loop start please mind the tests", "please mind the tests"],
    ["loop start", ""],
    ["LOOP \t start.", ""],
    ["loop start!\n\n👍", ""],
    ["@loop-agent loop start", ""],
    ["Loop start instance:default: mind the tests", "mind the tests"],
    ["instance:default loop start\nmind the tests", "mind the tests"],
    ["please loop start and mind the tests", "please\nand mind the tests"],
    ["Mind the tests.\n\nloop start\n\nAnd the docs.", "Mind the tests.\n\nAnd the docs."],
    ["loop start\r\nmind the tests\r\n", "mind the tests"],
    ["loop start\nloop start\nmind the tests", "mind the tests"],
    ["loop loop start start", "loop\nstart"],
    ["loop start, and never type `loop start` yourself", "and never type `loop start` yourself"],
    ["> loop stop\n\nloop start with this", "> loop stop\n\nwith this"],
    ["loop add-collaborator @carol she knows the well", "she knows the well"],
    ["loop add-collaborator instance:default @carol, she knows the well", "she knows the well"],
    ["instance:default fix the header", "fix the header"],
    ["**loop start** with care", "with care"],
    ["nothing for the service", "nothing for the service"],
    ["- [x] loop start", ""],
    ["- [ ] loop start", ""],
    ["* loop start", ""],
    ["1. loop start", ""],
    ["12) loop start", ""],
    ["## loop start", ""],
    ["> - loop start", "> - loop start"],
    ["- [x] loop start\n- [X]", ""],
    ["a. loop start", "a."],
    ["| loop start |\n|---|", ""],
    ["<br>loop start<br/>", ""],
    ["<div align='center'>loop start</div>", ""],
    ["loop start\n\n&nbsp; &#8203; &hellip;", ""],
    ["loop start <!-- for the bot -->", ""],
    ["[^1]: x\n\nloop start", "[^1]: x"],
    ["- [x] loop start\n- [ ] mind the tests", "- [x]\n- [ ] mind the tests"],
    ["loop start `npm test`", "`npm test`"],
    ["loop start 5", "5"],
    ["loop start &eacute;t&eacute;", "&eacute;t&eacute;"],
    [
      "loop start\n\n<img width='800' src='https://a.example/x'>",
      "<img width='800' src='https://a.example/x'>",
    ],
    ["loop start <IMG\nSRC=x />", "<IMG\nSRC=x />"],
    [
      "loop start <p><picture><img alt='' src='x'></picture></p>",
      "<p><picture><img alt='' src='x'></picture></p>",
    ],
    ["loop start <video src='x' controls></video>", "<video src='x' controls></video>"],
    ["loop start <video><source src='x'></video>", "<video><source src='x'></video>"],
    ["loop start <audio src='x'></audio>", "<audio src='x'></audio>"],
    ["loop start <a href='https://a.example'>\u2197</a>", "<a href='https://a.example'>\u2197</a>"],
    ["loop start ![](x)", "![](x)"],
    ["loop start <img> <img src=''> <img data-src='x'> <image src='x'> <a name='x'></a>", ""],
    ["loop start <!-- <img src='x'> -->", ""],
  ])("%j leaves %j", (text, rest) => {
    expect(withoutControl(text, keywords)).toBe(rest);
  });

  it("holds no keyword and no address that the service would act on", () => {
    const words = fc.constantFrom(
      "loop",
      "start",
      "loop start",
      "add-collaborator",
      "@carol",
      "instance:a",
      " ",
      " ",
      "\n",
      "\t",
      "`",
      "\n> ",
      "\n```\n",
      "<!--",
      "-->",
      "x",
      ".",
      "é",
    );
    let cut = 0;
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 20 }).map((parts) => parts.join("")),
        (text) => {
          if (readControl(text, keywords).kind !== "command") return;
          cut += 1;
          expect(readControl(withoutControl(text, keywords), keywords)).toEqual({
            kind: "none",
            address: null,
          });
        },
      ),
      { numRuns: 5000 },
    );
    expect(cut).toBeGreaterThan(100);
  });
});
