import type { Row, Turn, Wait } from "../../src/ui/api/shapes.ts";

const refOf = (number: number): string => `host:octo/shop#${number}`;

export function itemRow(
  number: number,
  status: Row["status"] = "started",
  at: number | null = null,
): Row {
  return {
    ref: refOf(number),
    type: "issue",
    title: `Item ${number}`,
    url: null,
    open: true,
    armed: true,
    status,
    sessions: 1,
    held: [],
    node: null,
    at,
  };
}

export function waitOf(number: number, reason: string, type: string | null): Wait {
  return {
    workItem: refOf(number),
    lane: refOf(number),
    reason,
    words: "it waits",
    until: null,
    detail: "",
    turn: null,
    type,
  };
}

export function turnOn(number: number, state: Turn["state"]): Turn {
  return {
    id: number,
    lane: refOf(number),
    workItem: refOf(number),
    mode: "resume",
    state,
    attempts: 0,
    notBefore: 0,
    note: null,
    createdAt: 0,
    deliveries: [],
    attempt: null,
  };
}
