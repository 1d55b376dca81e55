import { createTrust } from "../../src/trust-file.ts";

/** Trusts one directory after the other, without an end, until it is killed. */
const [dir = ""] = process.argv.slice(2);
const trust = createTrust({
  environment: { CLAUDE_CONFIG_DIR: `${dir}/config` },
  home: dir,
  env: {},
  permissions: "guarded",
  args: [],
});
process.stdout.write("ready\n");
for (let at = 0; ; at = (at + 1) % 40) {
  await trust.prepare({
    workdir: `${dir}/w${at}`,
    workspaceRoot: null,
    scope: "directory",
    bypass: at % 2 === 0,
    env: {},
  });
  if (at === 39)
    await trust.prepare({
      workdir: dir,
      workspaceRoot: null,
      scope: "directory",
      bypass: false,
      env: {},
    });
}
