import { parseArgs } from "node:util";
import { LoopError } from "@loopwork/core/ports";

/** What a person asked of `loop-receiver`. */
export type Flags = {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly secretEnv: string;
  readonly previousSecretEnv: string | null;
  readonly events: readonly string[];
  readonly inbox: string;
  readonly handOver:
    | { readonly kind: "ndjson" }
    | { readonly kind: "forward"; readonly url: string };
  readonly allowUnsigned: boolean;
  readonly maxBodyBytes: number;
};

const options = {
  host: { type: "string", default: "127.0.0.1" },
  port: { type: "string", default: "8787" },
  path: { type: "string", default: "/host-webhook" },
  "secret-env": { type: "string", default: "LOOP_HOST_WEBHOOK_SECRET" },
  "previous-secret-env": { type: "string" },
  events: { type: "string", default: "" },
  inbox: { type: "string", default: "loop-receiver-inbox" },
  ndjson: { type: "boolean", default: false },
  forward: { type: "string" },
  "allow-unsigned": { type: "boolean", default: false },
  "max-body-bytes": { type: "string", default: "26214400" },
  help: { type: "boolean", short: "h", default: false },
  version: { type: "boolean", default: false },
} as const;

/**
 * Reads the command line.
 * @throws {LoopError} `LOOP_E_USAGE`, naming the flag and never echoing a value that might be a
 * secret.
 */
export function parseFlags(args: readonly string[]): Flags | "help" | "version" {
  const values = parse(args);
  if (values.help) return "help";
  if (values.version) return "version";
  if (values.ndjson && values.forward !== undefined)
    throw usage("--ndjson and --forward exclude each other.", "Choose where deliveries go.");
  return {
    host: values.host,
    port: wholeNumber("--port", values.port, 0, 65_535),
    path: values.path,
    secretEnv: variableName("--secret-env", values["secret-env"]),
    previousSecretEnv:
      values["previous-secret-env"] === undefined
        ? null
        : variableName("--previous-secret-env", values["previous-secret-env"]),
    events: eventNames(values.events),
    inbox: values.inbox,
    handOver:
      values.forward === undefined
        ? { kind: "ndjson" }
        : { kind: "forward", url: webAddress(values.forward) },
    allowUnsigned: values["allow-unsigned"],
    maxBodyBytes: wholeNumber("--max-body-bytes", values["max-body-bytes"], 1, 1_073_741_824),
  };
}

function parse(
  args: readonly string[],
): ReturnType<typeof parseArgs<{ options: typeof options }>>["values"] {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw usage(
      error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error),
      "loop-receiver --help lists the flags.",
    );
  }
}

function wholeNumber(flag: string, text: string, least: number, most: number): number {
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw usage(`${flag} must be a whole number from ${least} to ${most}.`, "Digits only.");
  return value;
}

/** The NAME of a variable: a secret itself would end up in process lists and shell histories. */
function variableName(flag: string, text: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(text))
    throw usage(
      `${flag} takes the name of an environment variable, never the secret.`,
      "For example LOOP_HOST_WEBHOOK_SECRET.",
    );
  return text;
}

function eventNames(text: string): readonly string[] {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const wrong = names.find((name) => !/^[a-z0-9_]{1,64}$/.test(name));
  if (wrong !== undefined)
    throw usage(
      `--events: ${JSON.stringify(wrong)} is no event name.`,
      "Names in lower case, separated by commas, such as issues,issue_comment.",
    );
  return names;
}

function webAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw usage(
      "--forward must be an http or https address.",
      "For example --forward http://127.0.0.1:9000/hook.",
    );
  return text;
}

function usage(sentence: string, hint: string): LoopError {
  return new LoopError("LOOP_E_USAGE", sentence, hint);
}
