import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPracticeHost, type PracticeHost } from "@loopwork-tooling/practice-host";
import type { Registry } from "../registry.ts";

/**
 * A machine of a reader's own: a home in which nothing lies, and a code host that answers to the
 * public one's name.
 */
export type Stage = {
  readonly home: string;
  readonly host: PracticeHost;
  readonly env: NodeJS.ProcessEnv;
  readonly token: string;
};

const fixture = fileURLToPath(
  new URL("../../../fixture-harness/bin/fixture-claude", import.meta.url),
);
const redirect = fileURLToPath(
  new URL("redirect.mjs", new URL("../../src/replay/", import.meta.url)),
);

/**
 * Sets the stage in `home`, an empty folder. Packages of ours come from the registry. The practice
 * host stands in for the public one: for git by a program before it, and for programs of Node by a
 * module that is loaded before them. The practice harness is the command `claude`.
 */
export async function setStage(
  home: string,
  registry: Registry,
  { repository, user }: { readonly repository: string; readonly user: string },
): Promise<Stage> {
  const [owner = "", repo = ""] = repository.split("/");
  const token = "a-token-of-the-replay";
  const host = await createPracticeHost({
    owner,
    repo,
    users: [
      { login: user, token: "token-of-a-person" },
      { login: "loop-agent", token },
    ],
    files: { "README.md": "# Garden\n" },
  });
  const programs = join(home, "bin");
  mkdirSync(programs);
  // A session gets no `LOOP_*` variable of its service, and readers have no `passEnv` for practice.
  writeFileSync(
    join(programs, "claude"),
    `#!/bin/sh\nexport LOOP_PRACTICE=1 LOOP_PRACTICE_API='${host.apiUrl}' LOOP_PRACTICE_TOKEN='${token}'\nexec '${fixture}' "$@"\n`,
    { mode: 0o755 },
  );
  writeFileSync(
    join(home, ".npmrc"),
    `@loopwork:registry=${registry.url}\nprefix=${join(home, "npm")}\ncache=${join(home, "npm-cache")}\n`,
  );
  writeFileSync(
    join(home, ".gitconfig"),
    "[user]\n\tname = Reader\n\temail = reader@example.invalid\n",
  );
  writeFileSync(join(programs, "git"), gitFor(host.url), { mode: 0o755 });
  const env: NodeJS.ProcessEnv = {
    HOME: home,
    PATH: [
      join(home, "npm", "bin"),
      programs,
      dirname(process.execPath),
      "/usr/local/bin",
      "/usr/bin",
      "/bin",
    ].join(delimiter),
    NODE_OPTIONS: `--import=${redirect}`,
    REPLAY_HOST: host.url,
    REPLAY_API: host.apiUrl,
    LOOP_PRACTICE_TOKEN: token,
    ...(process.env["NODE_EXTRA_CA_CERTS"] === undefined
      ? {}
      : { NODE_EXTRA_CA_CERTS: process.env["NODE_EXTRA_CA_CERTS"] }),
  };
  return { home, host, env, token };
}

/**
 * Git that finds the public host on this machine, and tells of a remote the address that it was
 * given.
 */
function gitFor(url: string): string {
  const git = ["/usr/local/bin/git", "/usr/bin/git"].find(existsSync) ?? "git";
  const asItIs = `case " $* " in *" remote get-url "*) exec ${git} "$@" ;; esac`;
  // The service lets git speak https alone to a host of that kind.
  const plain = `[ -z "$GIT_ALLOW_PROTOCOL" ] || export GIT_ALLOW_PROTOCOL="$GIT_ALLOW_PROTOCOL:http"`;
  return [
    "#!/bin/sh",
    asItIs,
    plain,
    `exec ${git} -c 'url.${url}/.insteadOf=https://github.com/' "$@"`,
    "",
  ].join("\n");
}
