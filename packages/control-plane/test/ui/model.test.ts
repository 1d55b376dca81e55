import { describe, expect, it } from "vitest";
import { boardOf } from "../../src/ui/model/board.ts";
import { splitMessages } from "../../src/ui/model/messages.ts";
import { drawingOf } from "../../src/ui/model/plot.ts";
import { formatRoute, parseRoute, tokenIn } from "../../src/ui/model/route.ts";
import { toneOf } from "../../src/ui/model/tones.ts";
import { verbsFor } from "../../src/ui/model/verbs.ts";
import { dollars, piecesOf, webAddress, wholeSentence } from "../../src/ui/model/words.ts";
import { itemRow, turnOn, waitOf } from "./samples.ts";

describe("routes of the page", () => {
  it.each([
    { page: "board" },
    { page: "item", ref: "host:octo/shop#7" },
    { page: "item", ref: "host:git.example:8080/octo/sh%op#7" },
    { page: "deliveries" },
    { page: "events" },
    { page: "delivery", id: "poll-0f" },
  ] as const)("come back as they went: %j", (route) => {
    expect(parseRoute(formatRoute(route))).toEqual(route);
  });

  it.each([
    "#/items",
    "#/items/",
    "#/items/a/b",
    "#/items/%E0%A4%A",
    "#/nothing",
    "#/deliveries/",
    "#/events/1",
  ])("are unknown for %s", (hash) => {
    expect(parseRoute(hash)).toEqual({ page: "unknown" });
  });

  it("are the board where nothing is named", () => {
    expect(["", "#", "#/"].map(parseRoute)).toEqual([
      { page: "board" },
      { page: "board" },
      { page: "board" },
    ]);
  });

  it("give the token out of the fragment alone", () => {
    expect(tokenIn("#token=0123")).toBe("0123");
    expect([tokenIn(""), tokenIn("#/"), tokenIn("#token="), tokenIn("#/items/token=1")]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe("the plot", () => {
  it("reaches its top where most happened, and sums each line", () => {
    const steps = [
      { at: 0, accepted: 4, decided: 2, failed: 0 },
      { at: 1, accepted: 0, decided: 0, failed: 0 },
      { at: 2, accepted: 1, decided: 3, failed: 1 },
    ];
    expect(drawingOf(steps)).toEqual({
      top: 4,
      curves: [
        {
          name: "accepted",
          sum: 5,
          points: [
            [0, 0],
            [0.5, 1],
            [1, 0.75],
          ],
        },
        {
          name: "decided",
          sum: 5,
          points: [
            [0, 0.5],
            [0.5, 1],
            [1, 0.25],
          ],
        },
        {
          name: "failed",
          sum: 1,
          points: [
            [0, 1],
            [0.5, 1],
            [1, 0.75],
          ],
        },
      ],
    });
  });

  it("lies at the bottom while nothing happens, and needs no second step", () => {
    expect(
      drawingOf([{ at: 0, accepted: 0, decided: 0, failed: 0 }]).curves.map(({ points }) => points),
    ).toEqual([[[0, 1]], [[0, 1]], [[0, 1]]]);
    expect(drawingOf([])).toMatchObject({ top: 1 });
  });
});

describe("the colour of a delivery", () => {
  it.each([
    ["started", null, "good"],
    ["delivered", null, "good"],
    ["close-deferred", null, "warn"],
    ["refused", null, "warn"],
    ["rejected", null, "warn"],
    ["noted", null, "calm"],
    ["closed", null, "calm"],
    [null, null, "busy"],
    [null, "ping", "calm"],
  ] as const)("of %s and %s is %s", (verdict, ignored, tone) => {
    expect(toneOf(verdict, ignored)).toBe(tone);
  });
});

describe("the board", () => {
  const [seven, eight, nine] = [itemRow(7), itemRow(8), itemRow(9)];

  it("puts first what needs a person, and there last what somebody paused", () => {
    const board = boardOf(
      [seven, eight, nine],
      [
        waitOf(7, "paused", "resume it"),
        waitOf(8, "asked", "answer it"),
        waitOf(9, "usage-limit", null),
      ],
      [],
    );
    expect(board.needsYou.map(({ workItem, title }) => [workItem, title])).toEqual([
      [eight.ref, eight.title],
      [seven.ref, seven.title],
    ]);
    expect(board.held.map(({ workItem }) => workItem)).toEqual([nine.ref]);
  });

  it("counts a turn behind a hold as held, and one that runs as in flight whatever holds its lane", () => {
    const board = boardOf(
      [seven, eight],
      [waitOf(7, "paused", "resume it")],
      [turnOn(7, "ready"), turnOn(8, "ready"), turnOn(7, "injecting")],
    );
    expect(board.inFlight.map(({ workItem, state }) => [workItem, state])).toEqual([
      [eight.ref, "ready"],
      [seven.ref, "injecting"],
    ]);
  });

  it("shows every item somewhere, and done ones newest first", () => {
    const rows = [
      itemRow(1, "closed", 10),
      itemRow(2, "stopped", 20),
      itemRow(3, "idle"),
      itemRow(4, "started"),
      itemRow(5, "paused"),
      { ...itemRow(6, "idle"), armed: false },
    ];
    const board = boardOf(rows, [], []);
    expect(board.done.map(({ ref }) => ref)).toEqual([rows[1]?.ref, rows[0]?.ref]);
    expect(board.notStarted.map(({ armed }) => armed)).toEqual([true, false]);
    expect([...board.done, ...board.notStarted, ...board.listening]).toHaveLength(rows.length);
  });

  it("names an item that is not on record by nothing", () => {
    expect(boardOf([], [waitOf(7, "asked", "answer it")], []).needsYou[0]?.title).toBe("");
    const start = {
      workItem: "host:octo/shop#7",
      address: "north",
      addressee: "stopped",
      by: "ada",
      at: 0,
      delivery: "d",
      reason: "addressed-elsewhere",
      words: "is for instance north, which is stopped",
      type: "start it again",
    } as const;
    const board = boardOf([itemRow(7, "idle"), itemRow(8, "idle")], [], [], [start]);
    expect(board.unowned.map(({ title, words }) => [title, words])).toEqual([
      ["Item 7", "is for instance north, which is stopped"],
    ]);
    expect(
      board.notStarted.map(({ title }) => title),
      "it stands there once",
    ).toEqual(["Item 8"]);
  });
});

describe("words of the page", () => {
  it("show what is to be typed as such, and the rest as it is", () => {
    expect(piecesOf("`loop turns retry 4` goes on, <b>`x` not")).toEqual([
      { text: "loop turns retry 4", code: true },
      { text: " goes on, <b>", code: false },
      { text: "x", code: true },
      { text: " not", code: false },
    ]);
    expect(piecesOf("a single ` stays")).toEqual([{ text: "a single ` stays", code: false }]);
  });

  it("make a sentence of half of one", () => {
    expect([
      wholeSentence("somebody paused it"),
      wholeSentence("Done."),
      wholeSentence(""),
    ]).toEqual(["Somebody paused it.", "Done.", ""]);
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "//host/x", "nothing", "file:///etc/passwd"])(
    "link nowhere for %s",
    (url) => {
      expect(webAddress(url)).toBeNull();
    },
  );

  it("link to the web", () => {
    expect([webAddress("https://host.example/o/r/issues/1"), webAddress(null)]).toEqual([
      "https://host.example/o/r/issues/1",
      null,
    ]);
  });

  it("tell money", () => {
    expect([0, 0.0007, 0.01, 12.345].map(dollars)).toEqual([
      "$0.00",
      "under $0.01",
      "$0.01",
      "$12.35",
    ]);
  });
});

describe("the buttons of an item", () => {
  it("ask before anything goes away", () => {
    const verbs = [...verbsFor("started", 1), ...verbsFor("paused", 1), ...verbsFor("idle", 0)];
    expect(verbs.filter(({ ask }) => ask !== null).map(({ verb }) => verb)).toEqual([
      "stop",
      "cleanup",
      "stop",
      "cleanup",
    ]);
  });

  it("offer what can follow", () => {
    const offered = (status: Parameters<typeof verbsFor>[0], sessions: number): readonly string[] =>
      verbsFor(status, sessions).map(({ verb }) => verb);
    expect([
      offered("idle", 0),
      offered("started", 0),
      offered("paused", 1),
      offered("stopped", 1),
      offered("closed", 0),
    ]).toEqual([
      ["start"],
      ["pause", "stop"],
      ["resume", "stop", "cleanup"],
      ["start", "cleanup"],
      [],
    ]);
  });
});

describe("messages of an event stream", () => {
  it("come whole, with their ids, and without comments", () => {
    expect(
      splitMessages("id: 4\nevent: line\ndata: {}\n\n: still here\n\ndata: x\r\n\r\nid: 5\nda"),
    ).toEqual({ messages: [{ id: "4" }, { id: null }], rest: "id: 5\nda" });
  });

  it("go on where a piece ended", () => {
    const { rest } = splitMessages("id: 5\nda");
    expect(splitMessages(`${rest}ta: y\n\n`)).toEqual({ messages: [{ id: "5" }], rest: "" });
  });
});
