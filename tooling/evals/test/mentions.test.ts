import { defaultWords, formatAgentPost } from "@loopwork/core";
import { describe, expect, it } from "vitest";
import { makeMentioning, mentionsOn } from "../src/markdown/mentions.ts";

const post = (text: string): string =>
  formatAgentPost(text, { heard: new Set(["ada"]), keywords: defaultWords.keywords });

describe("the page of what an agent writes", () => {
  it("mentions nobody but those who are heard, on 5,000 texts", () => {
    const texts = Array.from({ length: 5_000 }, (_, seed) => makeMentioning(seed));
    const calls = (text: string): boolean =>
      mentionsOn(text).some((name) => name.toLowerCase() !== "ada");
    expect(texts.filter(calls).length, "without the product").toBeGreaterThan(500);
    const called = texts.filter((text) => calls(post(text)));
    expect(called.toSorted((a, b) => a.length - b.length).slice(0, 10)).toEqual([]);
  });

  it("mentions whoever is heard", () => {
    expect(mentionsOn(post("Thanks @ada, and @Ada. **@ada**"))).toEqual(["ada", "Ada", "ada"]);
  });
});
