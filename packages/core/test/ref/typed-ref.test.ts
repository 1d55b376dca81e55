import { expect, test } from "vitest";
import { parseTypedRef } from "../../src/ref/typed-ref.ts";

const garden = { host: null, owner: "ada", repo: "garden", number: 1 };

test.each([
  ["host:ada/garden#1", garden],
  ["ada/garden#1", garden],
  ["code.example/ada/garden#1", garden],
  ["https://code.example/ada/garden/issues/1", garden],
  ["https://code.example/ada/garden/issues/1#issuecomment-7", garden],
  ["https://code.example/ada/garden/pull/1/files?w=1", garden],
  ["http://code.example/ada/garden/pulls/1", garden],
  ["https://other.example/ada/garden/issues/1", { ...garden, host: "other.example" }],
  ["https://code.example/ada/garden", null],
  ["https://code.example/ada/garden/issues/1x", null],
  ["https://code.example/ada/../issues/1", null],
  ["https://me:secret@code.example/ada/garden/tree/1", null],
  ["garden#1", null],
  ["ada/garden", null],
  ["host:../..#1", null],
  ["", null],
])("%s, as people type it", (text, ref) =>
  expect(parseTypedRef(text, "code.example")).toEqual(ref),
);
