import { effectiveKeys, takesEffect } from "@loopwork/core/config";
import type { Command as Commander } from "commander";
import type { RefusedConfig } from "../../configuration/open-config.ts";
import type { Ports } from "../../ports/command-ports.ts";
import { type Review, reviewConfig } from "../../trust/review-config.ts";
import { reviewBlocks } from "../../trust/review-view.ts";
import { Command } from "../command.ts";
import { type Block, line, type Result } from "../../output/result.ts";
import { type Call, flag } from "../../io/call.ts";

/**
 * `loop config show`: what the file sets, or with `--effective` every key with its value in force.
 */
export default class ConfigShowCommand extends Command {
  override describe(command: Commander): void {
    command.option("--effective", "Show every key, including defaults");
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    const loaded = await ports.config();
    const every = flag(call, "effective");
    const keys = effectiveKeys(loaded.config, loaded.set)
      .filter(({ place }) => every || place !== null)
      .map((key) => ({ ...key, takesEffect: takesEffect(key.path) }));
    const view: readonly Block[] = [
      {
        kind: "fields",
        rows: [
          ["file", loaded.file ?? "none, using defaults"],
          ["state root", loaded.paths.stateRoot],
          [
            "store",
            loaded.config.store.urlEnv === null
              ? loaded.paths.storeUrl
              : `PostgreSQL, from $${loaded.config.store.urlEnv}`,
          ],
        ],
      },
      { kind: "heading", text: every ? "Every key" : "Set in the file" },
      {
        kind: "table",
        columns: ["key", "set in", "applies", "value"],
        rows: keys.map((key) => [
          key.path,
          key.place === null ? "default" : `line ${key.place.line}`,
          key.takesEffect === "restart" ? "on restart" : "at once",
          JSON.stringify(key.value),
        ]),
        empty: "Nothing: all keys have their defaults",
      },
      line("A running service applies a change at once, or on `loop restart`.", "dim"),
    ];
    const { refused, config } = await ports.configPlaces();
    const unused = await Promise.all(
      refused.map(async (each) => ({
        file: each.file,
        why: each.why,
        review: await reviewOf(
          each,
          each.why === "changed" ? (config?.text ?? null) : null,
          ports.io.home,
        ),
      })),
    );
    const others = unused.flatMap(({ file, why, review }): readonly Block[] =>
      review === null
        ? []
        : [
            { kind: "heading", text: `Not in use: ${file}` },
            ...reviewBlocks(review, why === "changed"),
          ],
    );
    return {
      exit: 0,
      data: {
        file: loaded.file,
        paths: loaded.paths,
        keys,
        ...(every ? { config: loaded.config } : {}),
        unused,
      },
      view: [...view, ...others],
    };
  }
}

/**
 * What a file would set that isn't used as it stands; null where it can't be read or holds errors.
 */
async function reviewOf(
  { file, unreviewed }: RefusedConfig,
  trusted: string | null,
  home: string,
): Promise<Review | null> {
  if (unreviewed === null) return null;
  return reviewConfig(file, unreviewed.text, trusted, home).catch(() => null);
}
