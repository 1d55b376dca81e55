import { LoopError } from "@loopwork/core/ports";
import { type ConfigIo, type ConfigPlace, findConfigPlaces, namedPlace } from "./find-config.ts";
import { readSafeFile } from "../file-ownership/safe-file.ts";
import { readTrust } from "./trust-records.ts";

/**
 * The text of a configuration that may be used, whole as one person vouched for it. Only this file
 * makes one, so that whoever needs one has come through the checks here:
 *
 *     named, home   the user chose the place        nobody else can write there ─▶ used as it stands
 *     discovered    the folder's author chose it    …and a person trusted this very text ─▶ used
 *     on record     trusted once, named or not      ─▶ the trusted text, whatever stands there now
 */
class Trusted {
  readonly file: string;
  readonly text: string;
  /** Whoever writes the folder could change it, so it is bound to its text. */
  readonly isBound: boolean;
  readonly #found: ConfigPlace;

  constructor(found: ConfigPlace, text: string) {
    this.isBound = found.origin === "discovered";
    this.file = found.file;
    this.text = text;
    this.#found = found;
  }

  /** The same file as it may be used now. */
  reopened(home: string): Opened {
    return openPlace(this.#found, home);
  }
}

export type TrustedConfig = Trusted;

/**
 * Why a file isn't used as it stands. `unreviewed` is its text, to be shown and never to be
 * followed; null where it isn't read.
 */
export type RefusedConfig = {
  readonly file: string;
  readonly why: "untrusted" | "changed" | "revoked" | "unclear" | "unsafe";
  readonly sentence: string;
  readonly hint: string;
  readonly unreviewed: { readonly text: string } | null;
};

type Opened = { readonly config: Trusted | null; readonly refused: RefusedConfig | null };

/**
 * The configuration in force, null for every default, and each file before it that isn't used as it
 * stands.
 */
export type FoundConfig = {
  readonly config: TrustedConfig | null;
  readonly refused: readonly RefusedConfig[];
};

/** Bytes of a configuration file: the parser takes 131,072 characters. */
export const longestConfig: number = 4 * 131_072;

const reviewHint =
  "run `loop config trust --dry-run` to see what it can do, and `loop config trust` to use it";

/**
 * The first file of the search order that may be used. Rejects where one that the user named, or
 * the one at home, may not.
 */
export function openConfig(asked: string | null, io: ConfigIo): FoundConfig {
  const refused: RefusedConfig[] = [];
  for (const place of findConfigPlaces(asked, io)) {
    const opened = openPlace(place, io.home);
    if (opened.refused !== null) refused.push(opened.refused);
    if (opened.config !== null) return { config: opened.config, refused };
  }
  return { config: null, refused };
}

/** A file that a person named, or that was written for them. */
export function openNamedConfig(file: string, home: string): TrustedConfig {
  const { config, refused } = openPlace(namedPlace(file), home);
  if (refused !== null) throw refusal(refused);
  if (config === null) throw new Error(`${file} was neither opened nor refused`);
  return config;
}

/**
 * For whoever runs a service or rewrites a file: they don't go on with another file, or an older
 * text, than the one that lies there. A daemon that `loop start` or a supervisor brings up again
 * keeps the trusted text.
 */
export function requireSettled({ config, refused }: FoundConfig, env: ConfigIo["env"]): void {
  const open = refused.find(({ why }) => why !== "changed" || env["LOOP_DAEMON"] !== "1");
  if (open === undefined) return;
  const isOther = config !== null && config.file !== open.file;
  const way = isOther ? `, or add \`--config ${config.file}\` to use that one` : "";
  throw refusal({ ...open, hint: `${open.hint}${way}` });
}

function refusal({ file, why, hint }: RefusedConfig): LoopError {
  return new LoopError("LOOP_E_CONFIG_UNTRUSTED", `${file} ${reasons[why]}`, hint);
}

const reasons = {
  untrusted: "isn't trusted",
  changed: "changed since you trusted it",
  revoked: "isn't trusted any more",
  unclear: "isn't used, as its record of trust can't be used",
  unsafe: "isn't used, as others could have written it",
} as const;

function openPlace(found: ConfigPlace, home: string): Opened {
  const { file, place, origin } = found;
  const read = readSafeFile(file, longestConfig);
  const trust = readTrust(place, home);
  if (read.kind !== "text") {
    if (origin === "discovered")
      return {
        config: null,
        refused: refuse(file, "unsafe", null, `Ignoring ${file}: ${read.why}.`, read.hint),
      };
    throw new LoopError(codes[read.kind], `${file} ${phrases[read.kind]}: ${read.why}`, read.hint);
  }
  const { text, realPath } = read;
  if (trust.kind === "unclear") {
    const why = `its record of trust can't be used: ${trust.why}`;
    const hint = trust.hint ?? `review ${file} and run \`loop --config ${file} config trust\``;
    if (origin !== "discovered")
      throw new LoopError("LOOP_E_CONFIG_TRUST", `${file} isn't used: ${why}`, hint);
    return {
      config: null,
      refused: refuse(file, "unclear", text, `Ignoring ${file}: ${why}.`, hint),
    };
  }
  if (trust.kind === "none") {
    if (origin !== "discovered") return { config: new Trusted(found, text), refused: null };
    return {
      config: null,
      refused: refuse(
        file,
        "untrusted",
        text,
        `Ignoring ${file}: you haven't trusted it. Review it with \`loop config trust --dry-run\`, use it with \`loop config trust\`.`,
      ),
    };
  }
  const { record } = trust;
  if (record.text === null)
    return {
      config: null,
      refused: refuse(
        file,
        "revoked",
        text,
        `Ignoring ${file}: you revoked your trust in it. \`loop config trust\` restores it.`,
      ),
    };
  const config = new Trusted({ ...found, origin: "discovered" }, record.text);
  if (record.text === text && record.realPath === realPath) return { config, refused: null };
  return {
    config,
    refused: refuse(
      file,
      "changed",
      text,
      `${file} changed since you trusted it; the trusted version stays in force. \`loop config trust --dry-run\` shows the changes, \`loop config trust\` accepts them.`,
    ),
  };
}

const codes = {
  unsafe: "LOOP_E_CONFIG_OWNER",
  unreadable: "LOOP_E_CONFIG_UNREADABLE",
  "too-large": "LOOP_E_CONFIG_TOO_LARGE",
} as const;
const phrases = {
  unsafe: "isn't used, as others could have written it",
  unreadable: "cannot be read",
  "too-large": "is too large",
} as const;

function refuse(
  file: string,
  why: RefusedConfig["why"],
  text: string | null,
  sentence: string,
  hint: string = reviewHint,
): RefusedConfig {
  return { file, why, sentence, hint, unreviewed: text === null ? null : { text } };
}

/**
 * Whether the configuration could name a process graph (`routing.graph.specDir`), from its text
 * alone: reading it as YAML takes most of the time of a hook that has nothing to say. Null where
 * there is no configuration. Without a backslash YAML has no other way to write the key.
 */
export function mentionsGraph(config: TrustedConfig | null): boolean | null {
  return config === null ? null : config.text.includes("specDir") || config.text.includes("\\");
}
