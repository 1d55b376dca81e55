import type { Command as Commander } from "commander";
import { linkName, type LinkReport } from "@loopwork/core";
import { LoopError } from "@loopwork/core/ports";
import { flyCanary } from "../canary/send-and-watch.ts";
import type { LoadedConfig } from "../configuration/load-config.ts";
import type { Ports } from "../ports/command-ports.ts";
import { refuseAgentsAtSetup } from "../steer/refuse-agents.ts";
import { Command } from "./command.ts";
import { type Block, line, type Result } from "../output/result.ts";
import { type Call, textOption } from "../io/call.ts";

/**
 * `loop canary`: sends a signed delivery of its own through receiver, store, routing and a harness
 * that does nothing, and names the link that is broken. Exit 1 when one is. No work item, no
 * session and no code host hears of it.
 */
export default class CanaryCommand extends Command {
  override describe(command: Commander): void {
    command
      .option(
        "--url <url>",
        "Public webhook URL, as the code host knows it, to test a proxy or tunnel too",
      )
      .addHelpText(
        "after",
        "\nWithout --url, the delivery goes to the address the receiver is configured to\nlisten on.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAgentsAtSetup(ports, "send a test delivery");
    const loaded = await ports.config();
    const { delivery, stored, links } = await flyCanary(
      ports,
      loaded,
      addressOf(textOption(call, "url"), loaded),
    );
    const broken = links.filter(({ state }) => state === "broken");
    const data = {
      ok: broken.length === 0,
      delivery,
      stored,
      broken: broken.map(({ link }) => link),
      links,
    };
    return {
      exit: broken.length === 0 ? 0 : 1,
      data,
      view: [
        headline(broken),
        ...links.flatMap(linkBlocks),
        ...(stored ? [line(`Run \`loop why ${delivery}\` to see the delivery.`, "dim")] : []),
        line(notTried(loaded), "dim"),
      ],
    };
  }
}

/** Where it is sent; null where no receiver is enabled. */
function addressOf(given: string | undefined, { config }: LoadedConfig): URL | null {
  if (given !== undefined) {
    if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
      throw new LoopError(
        "LOOP_E_USAGE",
        `Invalid --url ${JSON.stringify(given)}: expected an http or https URL`,
        "Use the URL that the code host has, such as https://loop.example.org/host-webhook",
      );
    return new URL(given);
  }
  const { enabled, host, port, path } = config.webhooks.hostWebhook;
  if (!enabled) return null;
  const reached = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return new URL(path, `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`);
}

/** No host hears of a canary, so nothing is known of what is asked there. */
function notTried({ config, env }: LoadedConfig): string {
  const { tokenEnv } = config.integrations.codeHost;
  const poller = config.polling.enabled ? " and the poller" : "";
  const none = env[tokenEnv] ? "" : ` (${tokenEnv} isn't set)`;
  return `Not tested: the connection to the code host${poller}${none}. Run \`loop doctor\` to check.`;
}

function headline(broken: readonly LinkReport[]): Block {
  const [first, ...others] = broken;
  if (first === undefined) return line("✓ The test delivery went through", "good");
  return line(
    `✗ Failed: ${linkName(first.link)}${others.length === 0 ? "" : `, and ${others.map(({ link }) => linkName(link)).join(", ")}`}`,
    "bad",
  );
}

function linkBlocks({ link, state, found, todo }: LinkReport): readonly Block[] {
  const [sign, tone] = (
    {
      good: ["✓", "good"],
      weak: ["!", "warn"],
      broken: ["✗", "bad"],
      unknown: ["·", "dim"],
    } as const
  )[state];
  return [
    line(`${sign} ${linkName(link).padEnd(15)} ${found}`, tone),
    ...(todo === null ? [] : [line(`    → ${todo}`)]),
  ];
}
