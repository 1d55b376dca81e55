import { namesTyped } from "@loopwork/core/ports";
import type { Command as Commander } from "commander";
import type { Ports } from "../../ports/command-ports.ts";
import { refuseAnyAgent } from "../../steer/refuse-agents.ts";
import { Command } from "../command.ts";
import type { Call } from "../../io/call.ts";
import { done, line, type Result } from "../../output/result.ts";
import { commandLine } from "../log-line.ts";

/**
 * `loop actors forget <login>`: a login is known by the number of its account as first seen.
 * Whoever has the login under another account now is dropped as somebody else, until a person says
 * that it is the same one.
 */
export default class ActorsForgetCommand extends Command {
  override describe(command: Commander): void {
    command
      .argument("<login>", "Login, such as grace")
      .addHelpText(
        "after",
        "\nThe next person who uses this login is trusted as its owner, and their account\nis remembered. Make sure first that it is who you mean: hosts reuse logins.",
      );
  }

  override async run(call: Call, ports: Ports): Promise<Result> {
    await refuseAnyAgent(ports, "change who a login belongs to");
    const login = (call.args[0] ?? "").replace(/^@/, "");
    const store = await ports.store();
    const numbers: string[] = [];
    for (const name of namesTyped(login)) {
      const number = await store.items.pinnedActor(name);
      if (
        number !== null &&
        (await store.items.unpinActor(name, [
          await commandLine(ports, "actor.forgotten", null, { login, number }),
        ]))
      )
        numbers.push(number);
    }
    const [number] = numbers;
    const forgotten = number !== undefined;
    if (!forgotten)
      return {
        exit: 1,
        data: { login, forgotten },
        view: [line(`No account on record for @${login}`, "dim")],
      };
    return done(
      { login, forgotten, number },
      line(
        `✓ Forgot account ${numbers.join(" and ")} of @${login}. The next person to use this login is trusted as its owner.`,
        "good",
      ),
    );
  }
}
