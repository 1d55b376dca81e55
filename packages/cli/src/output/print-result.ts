import type { Result } from "./result.ts";
import type { Io } from "../io/io.ts";

/**
 * Prints what a command returned; resolves to its exit code. The printers are loaded late, as help
 * needs none.
 */
export async function tellResult(result: Result, json: boolean, io: Io): Promise<number> {
  const [{ renderHuman }, { renderJson }] = await Promise.all([
    import("./human.ts"),
    import("./json.ts"),
  ]);
  const style = { color: io.color, width: io.width };
  if (!json || result.follow === undefined)
    io.out(json ? renderJson(result.data, false) : renderHuman(result.view, style));
  for await (const item of result.follow ?? [])
    io.out(json ? renderJson(item.data, true) : renderHuman(item.view, style));
  return result.exit;
}

/** Prints why it could not run; the exit code of that is 2. */
export async function tellError(error: unknown, json: boolean, io: Io): Promise<number> {
  const [{ errorBlocks, shownError }, { renderHuman }, { renderJson }] = await Promise.all([
    import("./error.ts"),
    import("./human.ts"),
    import("./json.ts"),
  ]);
  const shown = shownError(error);
  if (json) io.out(renderJson({ error: shown }, false));
  else io.err(renderHuman(errorBlocks(shown), { color: io.color, width: io.width }));
  if (io.env["LOOP_DEBUG"] && error instanceof Error) io.err(`${error.stack ?? ""}\n`);
  return 2;
}
