import type { Ports } from "../ports/command-ports.ts";
import { checkAll } from "../doctor/checks.ts";
import type { Finding } from "../doctor/finding.ts";
import { capitalized } from "../output/capitalize.ts";
import { harnessWords } from "../output/state-words.ts";
import { Command } from "./command.ts";
import type { Block, Result } from "../output/result.ts";
import type { Call } from "../io/call.ts";

/**
 * `loop doctor`: each part outside of loop, with its version, whether it is logged in, and what to
 * do. Exit 1 when something needed is missing.
 */
export default class DoctorCommand extends Command {
  override async run(_call: Call, ports: Ports): Promise<Result> {
    const findings = await checkAll(ports);
    const view: readonly Block[] = findings.flatMap((finding): readonly Block[] => [
      {
        kind: "line",
        text: `${sign(finding)} ${nameOf(finding).padEnd(15)} ${finding.found}`,
        tone: finding.state === "good" ? "good" : finding.state === "missing" ? "bad" : "warn",
      },
      ...finding.details.map((text): Block => ({ kind: "line", text: `    ${text}` })),
      ...(finding.todo === null ? [] : [{ kind: "line", text: `    → ${finding.todo}` } as const]),
    ]);
    return {
      exit: findings.some(({ state }) => state === "missing") ? 1 : 0,
      data: { findings },
      view,
    };
  }
}

/** Parts that go by a name of their own; every other one begins with a capital letter. */
const names: Readonly<Record<string, string>> = {
  "harness A": harnessWords.A,
  "harness B": harnessWords.B,
  node: "Node.js",
  git: "git",
  tmux: "tmux",
  service: "service",
  "host-webhook": "host-webhook",
  poller: "poller",
};

function nameOf({ part }: Finding): string {
  return names[part] ?? capitalized(part);
}

function sign({ state }: Finding): string {
  return state === "good" ? "✓" : state === "missing" ? "✗" : "!";
}
