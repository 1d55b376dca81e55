import { describe, expect, it } from "vitest";
import { layerBreaches, layersOfCore, readLayerBreaches } from "../src/layers-of-core.ts";
import { copyOfCore, root, scratch } from "./scratch.ts";

const source = (path: string, ...lines: readonly string[]): { path: string; lines: string[] } => ({
  path: `packages/core/src/${path}`,
  lines: [...lines, ""],
});

describe("the layers of core", () => {
  it("are kept by its sources, every folder has one, and none of them is empty", () => {
    expect(readLayerBreaches(root, 250)).toEqual([]);
  });

  it("let a folder import from itself and from lower ones, and an entry from all", () => {
    expect(
      layerBreaches([
        source("text/words.ts", 'import { two } from "./two.ts";'),
        source("decide/decide.ts", 'export type { Word } from "../text/words.ts";'),
        source("flow.ts", 'import { decide } from "./decide/decide.ts";'),
      ]),
    ).toEqual([]);
  });

  it.each([
    ["a value", 'import { decide } from "../decide/decide.ts";'],
    ["a type", 'import type { Decision } from "../decide/decide.ts";'],
    ["names on several lines", 'import {\n  type Decision,\n} from "../decide/decide.ts";'],
    ["what it hands on", 'export { decide } from "../decide/decide.ts";'],
    ["what it loads late", 'const late = () => import("../decide/decide.ts");'],
    ["a type by its file", 'type Late = import("../decide/decide.ts").Decision;'],
  ])(
    "are broken by %s from a higher folder, and the file, the import and both are named",
    (_, line) => {
      expect(layerBreaches([source("text/words.ts", line)])).toEqual([
        "packages/core/src/text/words.ts imports packages/core/src/decide/decide.ts: text lies below decide",
      ]);
    },
  );

  it("are broken by an import of an entry", () => {
    expect(
      layerBreaches([source("testing/same.ts", 'import { decide } from "../index.ts";')]),
    ).toEqual([
      "packages/core/src/testing/same.ts imports packages/core/src/index.ts: testing lies below the entries",
    ]);
  });

  it("are broken by a folder that has none", () => {
    expect(layerBreaches([source("helpers/one.ts")])).toEqual([
      "packages/core/src/helpers has no layer in tooling/lint/src/layers-of-core.ts",
    ]);
  });

  it("are broken in a copy of core as soon as one of its files imports upward", () => {
    using copy = copyOfCore();
    copy.write(
      "packages/core/src/text/upward.ts",
      'export type { Store } from "../ports/store.ts";',
    );
    expect(readLayerBreaches(copy.path, 250)).toEqual([
      "packages/core/src/text/upward.ts imports packages/core/src/ports/store.ts: text lies below ports",
    ]);
  });

  it("are not taken for kept where nothing was read", () => {
    using empty = scratch();
    expect(readLayerBreaches(empty.path, 1)).toEqual([
      "only 0 sources of core were read, at least 1 expected",
    ]);
  });

  it("say what each folder holds", () => {
    expect(Object.values(layersOfCore).filter((what) => what.length < 10)).toEqual([]);
  });
});
