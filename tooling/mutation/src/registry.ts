import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/**
 * What test files get for "vitest" while mutants are tried: `describe`, `it` and `test` write the
 * tests down instead of running them, so that one process, with everything loaded, runs any of them
 * as often as it likes. `expect` is vitest's own, from its package of matchers.
 */
export type RegisteredTest = {
  readonly file: string;
  readonly name: string;
  readonly run: () => unknown;
};

type Body = (...args: readonly unknown[]) => unknown;
type Each = (cases: readonly unknown[]) => (name: string, ...rest: readonly unknown[]) => void;

/**
 * The test that runs: its file, for what it finds beside itself, and what is to be undone behind
 * it.
 */
export const running: { file: string; readonly undo: (() => unknown)[] } = { file: "", undo: [] };

export const registered: RegisteredTest[] = [];
const place: { file: string; readonly names: string[] } = { file: "", names: [] };

let loadings = 0;

/**
 * Writes the tests of a file down, behind those that are there; each time anew, with what it
 * computes for its tables.
 */
export async function loadFile(file: string): Promise<void> {
  place.file = file;
  place.names.length = 0;
  loadings += 1;
  await import(`${pathToFileURL(file).href}?loading=${loadings}`);
}

export const describe: ((name: string, ...rest: readonly unknown[]) => void) & { each: Each } =
  Object.assign(
    (name: string, ...rest: readonly unknown[]): void => {
      place.names.push(name);
      bodyOf(rest)();
      place.names.pop();
    },
    { each: eachOf((name, body) => describe(name, body)) },
  );

type Test = ((name: string, ...rest: readonly unknown[]) => void) & { readonly each: Each };

export const test: Test = openTest();
export const it: Test = openTest();

function openTest(): Test {
  const register = (name: string, ...rest: readonly unknown[]): void => {
    registered.push({
      file: place.file,
      name: [...place.names, name].join(" > "),
      run: bodyOf(rest),
    });
  };
  return Object.assign(register, { each: eachOf(register) });
}

function eachOf(register: (name: string, body: Body) => void): Each {
  return (cases) =>
    (name, ...rest) => {
      const spread = cases.every((row) => Array.isArray(row));
      for (const [index, row] of cases.entries())
        register(`${name} [${index}]`, () =>
          bodyOf(rest)(...(spread && Array.isArray(row) ? row : [row])),
        );
    };
}

function bodyOf(rest: readonly unknown[]): Body {
  const body = rest.find((part): part is Body => typeof part === "function");
  if (body === undefined) throw new Error(`${place.names.join(" > ")}: a test without a body`);
  return body;
}

/** Undoes what a test did, once it has ended. */
export function onTestFinished(undo: () => unknown): void {
  running.undo.push(undo);
}

/** Of what vitest has beside, only what tests of core use: spies on what stands outside of core. */
export const vi: { readonly spyOn: unknown } = await import(
  pathToFileURL(
    path.join(process.env["LOOP_MUTATION_PEERS"] ?? "", "node_modules/@vitest/spy/dist/index.js"),
  ).href
);

export const expect: unknown = await openExpect(process.env["LOOP_MUTATION_PEERS"] ?? "");

/**
 * Put together as vitest does it. Snapshots are compared with the file, and one inside of a test is
 * not looked at.
 */
async function openExpect(peers: string): Promise<unknown> {
  type Chai = {
    use(plugin: unknown): void;
    expect: {
      (value: unknown, message?: string): unknown;
      extend(target: unknown, matchers: unknown): void;
    };
  };
  type Matchers = {
    chai: Chai;
    GLOBAL_EXPECT: symbol;
    ASYMMETRIC_MATCHERS_OBJECT: symbol;
    setState(state: object, target: unknown): void;
    customMatchers: object;
  } & Record<string, unknown>;
  const kit: Matchers = await import(
    pathToFileURL(path.join(peers, "node_modules/@vitest/expect/dist/index.js")).href
  );
  for (const plugin of [
    "JestExtend",
    "JestChaiExpect",
    "ChaiStyleAssertions",
    "JestAsymmetricMatchers",
  ])
    kit.chai.use(kit[plugin]);
  const ours = Object.assign(
    (value: unknown, message?: string) => kit.chai.expect(value, message),
    kit.chai.expect,
  );
  Object.assign(ours, Reflect.get(globalThis, kit.ASYMMETRIC_MATCHERS_OBJECT));
  kit.setState({ assertionCalls: 0 }, ours);
  Object.defineProperty(globalThis, kit.GLOBAL_EXPECT, {
    value: ours,
    writable: true,
    configurable: true,
  });
  kit.chai.expect.extend(ours, kit.customMatchers);
  kit.chai.expect.extend(ours, {
    toMatchFileSnapshot: (text: string, name: string) => ({
      pass: readFileSync(path.resolve(path.dirname(running.file), name), "utf8") === text,
      message: () => `differs from ${name}`,
    }),
    toMatchInlineSnapshot: () => ({ pass: true, message: () => "" }),
  });
  return ours;
}
