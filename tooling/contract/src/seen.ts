import { existsSync, readFileSync } from "node:fs";
import type { EndedAttempt as Ended } from "@loopwork/core/testing";
import type { Scene } from "./scene.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Lines of output as objects. */
export function objectsOf(lines: readonly string[]): readonly Fields[] {
  return lines.map((line): Fields => JSON.parse(line));
}

/**
 * The outline of an attempt's output, in order; what both subjects print and rows do not look at is
 * left out.
 */
export function outlineOf(ended: Pick<Ended, "lines" | "receipt">): readonly string[] {
  return objectsOf(ended.lines).flatMap((line) => {
    if (line["type"] === "command_lifecycle")
      return line["command_uuid"] === ended.receipt ? [String(line["state"])] : [];
    if (line["type"] === "system") return line["subtype"] === "init" ? ["init"] : [];
    if (line["type"] === "user") return line["isReplay"] === true ? ["echo"] : ["tool-result"];
    return line["type"] === "assistant" || line["type"] === "result" ? [line["type"]] : [];
  });
}

/** Rows of the transcript that are messages of the user under this receipt. */
export function messagesUnder(
  scene: Scene,
  receipt: string,
  sessionId?: string,
): readonly Fields[] {
  return scene
    .transcript(sessionId)
    .filter((line) => line["type"] === "user" && line["uuid"] === receipt);
}

export function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** The text of the last result line. */
export function answerOf(ended: Pick<Ended, "lines">): string {
  const result = objectsOf(ended.lines).findLast((line) => line["type"] === "result");
  return typeof result?.["result"] === "string" ? result["result"] : "";
}
