import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dump } from "../support/small-graph.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

test(
  "bypass that is taken away while the service runs is gone in the next turn, and the log names the key; what needs a restart is named as such and stays",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld({ more: "logging: { level: info }" });
    const with_ = (permissions: string): void =>
      world.scene.configure(
        world.scene
          .text()
          .replace(
            /harnesses: \{ A: \{ (?:permissions: \w+, )?/,
            `harnesses: { A: { permissions: ${permissions}, `,
          ),
      );
    with_("bypass");
    world.scene.env["IS_SANDBOX"] = "1"; // Without it the harness refuses to be root.
    const service = await world.start();
    const number = world.startIssue("{{stub:bash id > by-bypass}}");
    const done = (count: number): Promise<unknown> =>
      until(
        async () => (await service.events("turn.done")).length === count,
        `${count} turns`,
        dump(service),
      );
    await done(1);
    const workdir = String((await service.event("checkout.prepared")).fields["workdir"]);
    expect(existsSync(join(workdir, "by-bypass"))).toBe(true);

    with_("guarded");
    world.scene.configure(
      world.scene.text().replace("logging: { level: info }", "logging: { level: warn }"),
    );
    world.host.comment(number, "Once more. {{stub:bash id > by-guarded}}", "ada");
    await done(2);
    expect(existsSync(join(workdir, "by-guarded"))).toBe(false);
    expect(service.said).toEqual(
      expect.arrayContaining([
        "info: Configuration reloaded; in force now: harnesses.A.permissions",
        "warn: Not in force until `loop restart`: logging.level",
      ]),
    );
    expect(await service.event("config.loaded")).toMatchObject({
      fields: { taken: "harnesses.A.permissions", restart: "logging.level" },
    });

    with_("bypass");
    world.host.comment(number, "And again. {{stub:bash id > by-bypass-again}}", "ada");
    await done(3);
    expect(existsSync(join(workdir, "by-bypass-again"))).toBe(true);
  },
);
