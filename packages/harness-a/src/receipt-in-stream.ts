import { parseStreamLine, type StreamLine, type TurnResult } from "./stream-line.ts";

/** Everything that a child's output says about one receipt. */
export type Heard = {
  /** Lines that were JSON objects of the harness. */
  readonly lines: number;
  readonly started: boolean;
  readonly init: Extract<StreamLine, { kind: "init" }> | null;
  readonly reached: boolean;
  readonly duplicate: boolean;
  /** The last state of the message; null when there was none. */
  readonly state: string | null;
  readonly replied: boolean;
  readonly limit: Extract<StreamLine, { kind: "limit" }> | null;
  /** The end of turn that names the receipt. */
  readonly result: TurnResult | null;
  /**
   * An end of turn that names no receipt at all: the harness stopped before it read our message.
   */
  readonly refusal: TurnResult | null;
};

/** Folds the lines of a child's output to what they say about `receipt`. */
export function hear(lines: Iterable<string>, receipt: string): Heard {
  let heard: Heard = {
    lines: 0,
    started: false,
    init: null,
    reached: false,
    duplicate: false,
    state: null,
    replied: false,
    limit: null,
    result: null,
    refusal: null,
  };
  for (const line of lines) {
    const said = parseStreamLine(line);
    if (said !== null) heard = fold({ ...heard, lines: heard.lines + 1 }, said, receipt);
  }
  return heard;
}

function fold(heard: Heard, said: StreamLine, receipt: string): Heard {
  switch (said.kind) {
    case "lifecycle":
      return said.receipt === receipt
        ? { ...heard, state: said.state, started: heard.started || said.state === "started" }
        : heard;
    case "init":
      // One row that says the sandbox is off counts, whatever a later one says.
      return { ...heard, init: heard.init?.sandboxed === false ? heard.init : said };
    case "echo":
      return said.receipt === receipt
        ? { ...heard, reached: heard.reached || !said.duplicate, duplicate: said.duplicate }
        : heard;
    case "reply":
      return { ...heard, replied: true, reached: true };
    case "limit":
      return said.rejected ? { ...heard, limit: said } : heard;
    case "result":
      if (said.result.receipts.includes(receipt)) return { ...heard, result: said.result };
      return said.result.receipts.length === 0 ? { ...heard, refusal: said.result } : heard;
    case "other":
      return heard;
  }
}
