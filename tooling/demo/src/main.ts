import { parseArgs } from "node:util";
import { createDemo } from "./demo.ts";
import { createTeller } from "./teller.ts";

/**
 * `npm start`: the real service on its embedded defaults in a scratch folder, a practice code host
 * with a real git repository, and a practice harness. `--harness claude` uses the installed real
 * one, with this user's own login. `--runner tmux` runs its turns in a terminal to which `loop
 * sessions attach` leads.
 */
const { values } = parseArgs({
  options: { once: { type: "boolean" }, harness: { type: "string" }, runner: { type: "string" } },
  allowPositionals: true,
});
const teller = createTeller(process.stdout, process.stdout.isTTY && !process.env["NO_COLOR"]);
const stay = values.once !== true && process.stdin.isTTY === true && process.stdout.isTTY;

if (values.harness !== undefined && values.harness !== "claude" && values.harness !== "practice") {
  process.stderr.write(
    `there is no harness called ${JSON.stringify(values.harness)}: use claude or practice\n`,
  );
  process.exit(2);
}

if (values.runner !== undefined && values.runner !== "tmux" && values.runner !== "headless") {
  process.stderr.write(
    `there is no runner called ${JSON.stringify(values.runner)}: use headless or tmux\n`,
  );
  process.exit(2);
}

const demo = await createDemo(
  teller,
  values.harness === "claude" ? "real" : "practice",
  values.runner ?? "headless",
);
let interrupted = false;
const interrupt = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (interrupted) process.exit(130);
      interrupted = true;
      resolve();
    });
  }
});
try {
  const told = await Promise.race([demo.tell(), interrupt.then(() => "interrupted" as const)]);
  if (told === "told" && stay) {
    teller.end(demo.invitation());
    await interrupt;
  }
  process.exitCode = told === "told" ? 0 : 130;
} catch (error) {
  teller.failed(error instanceof Error ? error.message : String(error), await demo.lastWords());
  process.exitCode = 1;
} finally {
  await demo.stop();
}
