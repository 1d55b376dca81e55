import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from "node:fs";
import { createServer } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo } from "node:net";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { holds, type Row, row, same } from "../row.ts";
import type { Scene } from "../scene.ts";
import {
  conversations,
  type MoreKeys,
  openWorld,
  type Service,
  until,
  type World,
} from "../service/world.ts";

/**
 * The whole service with the real harness in its sandbox, as a user without privileges. What an
 * agent under somebody's spell would do is done here; each attempt is judged from outside, and made
 * once more with the sandbox off, where it must succeed.
 */
export const sandboxRows: readonly Row[] = [
  row(
    "HA-sandbox-01",
    "an agent reads no secret of the service, the home or the harness, in no mode; without the sandbox it reads all of them",
    async (scene) => {
      const at = (file: string): string => path.join(scene.dir, file);
      const secrets = new Map([
        ["home/.ssh/id_ed25519", "KEY-OF-THE-OWNER"],
        ["home/.netrc", "LOGIN-OF-THE-OWNER"],
        ["state/env-file", "SECRET-OF-THE-STATE"],
        ["config/.credentials.json", "LOGIN-OF-THE-HARNESS"],
      ]);
      for (const [file, text] of secrets) scene.write(file, `${text}\n`, 0o600);
      const marks = [
        "KEY-OF-THE-OWNER",
        "LOGIN-OF-THE-OWNER",
        "SECRET-OF-THE-STATE",
        "LOGIN-OF-THE-HARNESS",
        "WORK-OF-ANOTHER",
        "OUTPUT-OF-ANOTHER",
        "PRACTICE-TOKEN-OF-A-REGISTRY",
        "sk-ant-dummy",
      ];
      const acts = (name: string): readonly string[] => {
        const others = `checkouts-${name}/.work-items/other/notes.txt`;
        scene.write(others, "WORK-OF-ANOTHER\n", 0o600);
        const files = [...secrets.keys(), others, `tmp/loop-${process.getuid?.()}/other/notes.txt`];
        scene.write(files.at(-1) ?? "", "OUTPUT-OF-ANOTHER\n", 0o600);
        for (const folder of [
          `tmp/loop-${process.getuid?.()}`,
          `tmp/loop-${process.getuid?.()}/other`,
        ])
          chmodSync(at(folder), 0o700);
        const shell = [
          ...[...files, `${name}.yaml`].map((file) => `cat '${at(file)}'`),
          `cat '${at("state")}'/*.db | head -c 100`,
          "env",
          "cat /proc/[0-9]*/environ",
        ];
        return [
          ...shell.map(bash),
          ...files.map((file) => `{{stub:tool Read ${JSON.stringify({ file_path: at(file) })}}}`),
        ];
      };
      for (const [name, harness] of [
        ["boxed", passed],
        ["bypass", `${passed}, permissions: bypass`],
      ] as const) {
        const { said } = await turn(scene, name, acts(name), { ...clones, harness });
        for (const mark of [...marks, "SQLite format", "practice-agent"])
          holds(`${mark} stays outside (${name})`, !said.includes(mark), said);
      }
      const { said } = await turn(scene, "open", acts("open"), {
        ...clones,
        harness: `${passed}, permissions: bypass, sandbox: off`,
      });
      for (const mark of [...marks, "SQLite format"])
        holds(`${mark} is read without the sandbox`, said.includes(mark), said);
    },
  ),
  row(
    "HA-sandbox-02",
    "an agent changes nothing outside of its checkout, plants no hook and outlives no turn; without the sandbox it does all of that",
    async (scene) => {
      for (const [name, harness, succeeds] of [
        ["boxed", "", false],
        ["open", "permissions: bypass, sandbox: off", true],
      ] as const) {
        const at = (file: string): string => path.join(scene.dir, file);
        scene.write(`checkouts-${name}/.work-items/other/notes.txt`, "as it was\n");
        scene.write(`home-${name}.txt`, "as it was\n");
        const acts = [
          `echo changed > '${at(`checkouts-${name}/.work-items/other/notes.txt`)}'`,
          `echo changed > '${at(`home-${name}.txt`)}'`,
          "echo '#!/bin/sh' > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout",
          "git config filter.x.clean evil",
          "git config core.fsmonitor evil",
          `setsid sh -c 'echo $$ > pid; while :; do date +%s%N > alive; sleep 0.1; done' > /dev/null 2>&1 < /dev/null & sleep 1`,
        ].map(bash);
        const { checkout } = await turn(
          scene,
          name,
          acts,
          { ...clones, ...(harness === "" ? {} : { harness }) },
          async (_world, _service, dir) => {
            const beats = async (): Promise<boolean> => {
              const before = textOf(path.join(dir, "alive"));
              for (let at = 0; at < 15; at++)
                if ((await sleep(100), textOf(path.join(dir, "alive")) !== before)) return true;
              return false;
            };
            same(`a process outlives its turn (${name})`, await beats(), succeeds);
            if (succeeds) process.kill(-Number(textOf(path.join(dir, "pid"))), "SIGKILL");
          },
        );
        same(
          `another checkout is changed (${name})`,
          textOf(at(`checkouts-${name}/.work-items/other/notes.txt`)),
          succeeds ? "changed\n" : "as it was\n",
        );
        same(
          `a file outside is changed (${name})`,
          textOf(at(`home-${name}.txt`)),
          succeeds ? "changed\n" : "as it was\n",
        );
        same(
          `a hook is planted (${name})`,
          existsSync(path.join(checkout, ".git/hooks/post-checkout")),
          succeeds,
        );
        same(
          `git is configured (${name})`,
          textOf(path.join(checkout, ".git/config")).includes("evil"),
          succeeds,
        );
      }
    },
  ),
  row(
    "HA-sandbox-03",
    "an agent reaches no host that is not listed, and a listed one; without the sandbox it reaches every one",
    async (scene) => {
      const seen: string[] = [];
      const server = createServer(
        (request, response) => (seen.push(request.url ?? ""), response.end("heard")),
      ).listen(0, "0.0.0.0");
      await new Promise((resolve) => server.once("listening", resolve));
      const { port } = portOf(server.address());
      const send = (what: string): readonly string[] => [
        bash(`curl -s -m 5 'http://127.0.0.1:${port}/loopback-${what}'`),
        bash(`curl -s -m 5 --noproxy '*' 'http://${hostname()}:${port}/direct-${what}'`),
        bash(`curl -s -m 5 'http://${hostname()}:${port}/name-${what}'`),
      ];
      try {
        await turn(scene, "boxed", send("boxed"), clones);
        same("what arrived from the sandbox", seen, []);
        await turn(scene, "listed", send("listed"), {
          ...clones,
          harness: `sandboxDomains: [${hostname()}]`,
        });
        same("what arrived from the sandbox with the name listed", seen, ["/name-listed"]);
        await turn(scene, "open", send("open"), {
          ...clones,
          harness: "sandbox: off, allowedTools: [curl]",
        });
        same("what arrived without the sandbox", seen.slice(1), [
          "/loopback-open",
          "/direct-open",
          "/name-open",
        ]);
      } finally {
        server.close();
      }
    },
  ),
  row(
    "HA-sandbox-04",
    "commit, push, a package from the registry, and loop's own commands work inside; what needs the records says that it can't",
    async (scene) => {
      const acts = (forward: number): readonly string[] =>
        [
          "echo water > more.txt && git add -A && git commit -q -m 'Water the garden' && git switch -q -c issue-1 && echo COMMITTED",
          `git push -q http://practice-agent:practice-agent@${hostname()}:${forward}/practice/garden.git HEAD:refs/heads/issue-1 && echo PUSHED`,
          "mkdir deps && cd deps && npm init -y > npm.txt 2>&1 && npm install is-odd@3.0.1 >> npm.txt 2>&1; cat npm.txt; ls node_modules && echo INSTALLED",
          "loop comment said from inside",
          "loop check; echo CHECKED $?",
          "loop why host:practice/garden#1; echo WHY $?",
          "loop status; echo STATUS $?",
          "loop ask what now",
        ].map(bash);
      await turn(
        scene,
        "boxed",
        acts,
        { ...clones, harness: `sandboxDomains: [${hostname()}]${authorities}` },
        async (world, _service, checkout, said) => {
          for (const mark of ["COMMITTED", "PUSHED", "INSTALLED", "CHECKED 0", "LOOP_E_SANDBOXED"])
            holds(mark, said.includes(mark), said);
          for (const mark of ["WHY 0", "STATUS 0"])
            holds(`not ${mark}`, !said.includes(mark), said);
          const comments = await commentsOf(world);
          holds(
            "the comment is posted",
            comments.some((body) => body.includes("said from inside")),
            comments,
          );
          holds(
            "the question is posted",
            comments.some((body) => body.includes("what now")),
            comments,
          );
          holds(
            "no comment speaks of a missing sandbox",
            !comments.some((body) => body.includes("without a sandbox")),
            comments,
          );
          same(
            "what git sees that was not committed",
            git(checkout, "status", "--porcelain"),
            "?? deps/",
          );
        },
      );
    },
  ),
  row(
    "HA-sandbox-05",
    "after a harness that was killed in the middle of a command nothing is left of its sandbox, and the next turn works",
    async (scene) => {
      await turn(
        scene,
        "boxed",
        [bash("touch begun; sleep 30")],
        clones,
        async (world, service, checkout) => {
          world.host.comment(
            1,
            bash(
              "git config --get remote.origin.url > second.txt && git add -A && git commit -q -m next && touch committed",
            ),
            "ada",
          );
          await service.event("turn.done", 2);
          holds("the next turn commits", existsSync(path.join(checkout, "committed")));
          const left = readdirSync(checkout).filter(
            (name) => name.startsWith(".") && name !== ".git",
          );
          same(
            "dot files in the checkout",
            left,
            git(checkout, "ls-files", ".*").split("\n").filter(Boolean),
          );
          holds("no lock is left", !existsSync(path.join(checkout, ".git/config.lock")));
          same("temporary folders", globSync(path.join(scene.dir, "tmp/loop-*/*")), []);
          same("processes", leftOf(path.join(scene.dir, "tmp")), []);
        },
        async (checkout) => {
          await until("the command runs", () =>
            Promise.resolve(existsSync(path.join(checkout, "begun"))),
          );
          holds(
            "placeholders stand there meanwhile",
            existsSync(path.join(checkout, ".bashrc")),
            readdirSync(checkout),
          );
          const [child = 0] = harnessOf(scene, checkout);
          holds("the harness is found", child > 1);
          process.kill(child, "SIGKILL");
        },
      );
    },
  ),
  row(
    "HA-sandbox-06",
    "a turn whose program drops our settings is stopped before a tool runs, and its item is held until somebody resumes",
    async (scene) => {
      const world = await openWorld(scene);
      try {
        const service = await world.service("one", "host-webhook", [], clones);
        // Takes the last two arguments away: the settings, and their file.
        world.harness(
          'n=$#; while [ "$n" -gt 2 ]; do set -- "$@" "$1"; shift; n=$((n - 1)); done; shift 2\n',
        );
        await service.start();
        const number = world.startIssue(bash("touch ran"));
        const held = await service.event("lane.held");
        same("reason", held.reason, "sandbox");
        holds("detail", String(held.fields["detail"]).includes("without its sandbox"), held);
        const checkout = checkoutOf(scene, "one", number);
        holds("no tool ran", !existsSync(path.join(checkout, "ran")));
        world.harness("");
        world.host.comment(number, "loop resume", "ada");
        await service.event("turn.done");
        world.host.comment(number, bash("touch ran"), "ada");
        await service.event("turn.done", 2);
        holds("after the repair it runs", existsSync(path.join(checkout, "ran")));
      } finally {
        await world.close();
      }
    },
  ),
  row(
    "HA-sandbox-07",
    "where the checkout is a worktree auto says why it is off, in the log and in the item's first comment; required holds the item",
    async (scene) => {
      await turn(
        scene,
        "auto",
        [bash("loop comment hello; loop comment again")],
        { harness: "allowedTools: []" },
        async (world, service) => {
          holds(
            "event",
            String((await service.event("sandbox.off")).fields["why"]).includes("worktrees"),
          );
          const notes = (await commentsOf(world)).filter((body) =>
            body.includes("runs without a sandbox"),
          );
          same("comments that say so", notes.length, 1);
          holds("it is the first", notes[0]?.includes("hello") === true, notes);
        },
      );
      const world = await openWorld(scene);
      try {
        const service = await world.service("required", "host-webhook", [], {
          harness: "sandbox: required",
        });
        await service.start();
        world.startIssue(bash("touch ran"));
        same("reason", (await service.event("lane.held")).reason, "sandbox");
        await until("the thread is told", async () =>
          (await commentsOf(world)).some((body) =>
            body.includes("routing.workspace.strategy: clone"),
          ),
        );
      } finally {
        await world.close();
      }
    },
  ),
  row(
    "HA-sandbox-08",
    "an agent reads neither store nor token of the service where they lie outside of the state root; without the sandbox it reads both",
    async (scene) => {
      scene.write("disk/control-plane.token", "TOKEN-OF-THE-CONTROL-PLANE\n", 0o600);
      chmodSync(path.join(scene.dir, "disk"), 0o700);
      symlinkSync("disk", path.join(scene.dir, "elsewhere"));
      const acts = (name: string): readonly string[] => {
        return ["disk", "elsewhere"].flatMap((folder) => {
          const at = (file: string): string => path.join(scene.dir, folder, file);
          const token = at("control-plane.token");
          return [
            ...["", "-wal", "-shm"].map((end) => bash(`wc -c < '${at(`${name}.db${end}`)}'`)),
            bash(`head -c 100 '${at(`${name}.db`)}'; cat '${token}'`),
            `{{stub:tool Read ${JSON.stringify({ file_path: token })}}}`,
          ];
        });
      };
      const marks = ["SQLite format", "TOKEN-OF-THE-CONTROL-PLANE"];
      for (const [name, harness] of [
        ["boxed", passed],
        ["bypass", `${passed}, permissions: bypass`],
      ] as const) {
        const { said } = await turn(scene, name, acts(name), {
          ...clones,
          harness,
          own: "elsewhere",
        });
        for (const mark of marks)
          holds(`${mark} stays outside (${name})`, !said.includes(mark), said);
        holds(`no journal has content (${name})`, !/"stdout":"[1-9]/.test(said), said);
      }
      const { said } = await turn(scene, "open", acts("open"), {
        ...clones,
        harness: `${passed}, permissions: bypass, sandbox: off`,
        own: "elsewhere",
      });
      for (const mark of marks)
        holds(`${mark} is read without the sandbox`, said.includes(mark), said);
      holds("journals have content without the sandbox", /"stdout":"[1-9]/.test(said), said);
    },
  ),
  row(
    "HA-sandbox-10",
    "an agent reads no env file in the very folder that its turn works in, and no store in a folder that is open; the rest of both it reads, and without the sandbox all",
    async (scene) => {
      const own = "home/garden/.loop/loop.env";
      const file = scene.write(own, "FEED_TOKEN=SECRET-IN-THE-CHECKOUT\n", 0o600);
      const folder = path.join(scene.dir, "home/garden");
      git(folder, "init", "-q");
      for (const [key, value] of [
        ["user.name", "Practice"],
        ["user.email", "agent@practice.invalid"],
      ] as const)
        git(folder, "config", key, value);
      scene.write("home/garden/.gitignore", ".loop/\n");
      scene.write("home/garden/notes.txt", "Roses.\n");
      scene.write("home/open/notes.txt", "NOTES-OF-THE-GARDEN\n");
      const open = path.join(scene.dir, "home/open");
      chmodSync(open, 0o700);
      git(folder, "add", "-A");
      git(folder, "commit", "-q", "-m", "notes");
      const acts = (name: string): readonly string[] => [
        bash(
          `cat '${file}'; cat .loop/loop.env; head -c 100 '${open}/${name}.db'; cat '${open}/notes.txt'`,
        ),
        `{{stub:tool Read ${JSON.stringify({ file_path: file })}}}`,
        bash(
          `echo ${name} > made-${name} && git add -A && git commit -q -m ${name} && echo WORKS-${name}`,
        ),
      ];
      for (const [name, harness] of [
        ["boxed", passed],
        ["bypass", `${passed}, permissions: bypass`],
        ["open", `${passed}, permissions: bypass, sandbox: off`],
      ] as const) {
        const { said } = await turn(scene, name, acts(name), {
          harness: `${harness}, sandboxRead: [${JSON.stringify(open)}]`,
          folder: "home/garden",
          own: "home/open",
          envFile: own,
        });
        const isRead = name === "open";
        for (const mark of ["SECRET-IN-THE-CHECKOUT", "SQLite format"])
          holds(
            `${mark} is ${isRead ? "read" : "not read"} (${name})`,
            said.includes(mark) === isRead,
            said,
          );
        for (const mark of ["NOTES-OF-THE-GARDEN", `WORKS-${name}`])
          holds(`the agent works there: ${mark} (${name})`, said.includes(mark), said);
      }
    },
  ),
  row(
    "HA-sandbox-11",
    "an agent reads the configuration that a repository holds and writes it in no mode; without the sandbox and its rules it does",
    async (scene) => {
      scene.write("conf/.git/HEAD", "ref: refs/heads/main\n");
      for (const [name, harness, isOpen] of [
        ["boxed", passed, false],
        ["bypass", `${passed}, permissions: bypass`, false],
        ["open", `${passed}, permissions: bypass, sandbox: off`, true],
      ] as const) {
        const file = path.join(scene.dir, "conf", `${name}.yaml`);
        const acts = [
          bash(`head -c 30 '${file}'`),
          bash(`echo '# by a command' >> '${file}'`),
          `{{stub:tool Read ${JSON.stringify({ file_path: file })}}}`,
          `{{stub:tool Edit ${JSON.stringify({ file_path: file, old_string: "routing:", new_string: "# by a tool\nrouting:" })}}}`,
          `{{stub:tool Write ${JSON.stringify({ file_path: path.join(scene.dir, "conf/.git", name), content: "x" })}}}`,
        ];
        const { said } = await turn(scene, name, acts, { ...clones, harness, configDir: "conf" });
        holds(`it is read (${name})`, said.includes("state: { root:"), said);
        const text = textOf(file);
        for (const mark of ["# by a command", "# by a tool"])
          same(`${mark} is written (${name})`, text.includes(mark), isOpen);
      }
    },
  ),
  row(
    "HA-sandbox-09",
    "an agent reads no login that a variable holds or names, and nothing beside Node or a tool in the home; tools, certificates and the network work on",
    async (scene) => {
      const home = (file: string): string => path.join(scene.dir, "home", file);
      const node = process.execPath;
      scene.write("home/.local/bin/node", `#!/bin/sh\nexec '${node}' "$@"\n`, 0o755);
      scene.write("home/.local/lib/node_modules/own/package.json", "{}");
      scene.write("home/go/bin/tool", "#!/bin/sh\necho TOOL-RUNS\n", 0o755);
      const secrets = new Map([
        ["home/.local/share/keyrings/login.keyring", "KEYRING-BESIDE-NODE"],
        ["home/Go/private.txt", "NOTES-BESIDE-GO"],
        ["logins/auth.json", "LOGIN-OF-A-REGISTRY"],
        ["logins/ticket", "TICKET-OF-KERBEROS"],
        ["logins/glab/config.yml", "LOGIN-OF-A-HOST"],
      ]);
      for (const [file, text] of secrets) scene.write(file, `${text}\n`, 0o600);
      const certificate = "-----BEGIN CERTIFICATE-----\nPUBLIC\n-----END CERTIFICATE-----\n";
      const logins = path.join(scene.dir, "logins");
      const env = {
        PATH: `${home(".local/bin")}:${path.dirname(node)}:${process.env["PATH"] ?? ""}`,
        REGISTRY_AUTH_FILE: path.join(logins, "auth.json"),
        KRB5CCNAME: `FILE:${path.join(logins, "ticket")}`,
        GLAB_CONFIG_DIR: path.join(logins, "glab"),
        EXTRA_CERTIFICATES: scene.write("certificates/ca.pem", certificate),
        MONGODB_URI: "mongodb://u:PASSWORD-OF-A-STORE@h/x",
        HTTPS_PROXY: "http://ada:PASSWORD-OF-A-PROXY@127.0.0.1:9",
        NO_PROXY: "127.0.0.1,localhost", // Where the stand-in of the model is.
      };
      const held = ["PASSWORD-OF-A-STORE", "PASSWORD-OF-A-PROXY", ...secrets.values()];
      const acts = (forward: number): readonly string[] => [
        ...[...secrets.keys()].map((file) => bash(`cat '${path.join(scene.dir, file)}'`)),
        bash("env"),
        ...[...secrets.keys()].map(
          (file) =>
            `{{stub:tool Read ${JSON.stringify({ file_path: path.join(scene.dir, file) })}}}`,
        ),
        bash(`'${home("go/bin/tool")}'; cat '${env.EXTRA_CERTIFICATES}'; node -p 1e9+1`),
        bash(`curl -s -m 5 'http://${hostname()}:${forward}/api/v3' | head -c 300; echo ASKED $?`),
        bash(`env | grep -i https_proxy; echo PROXY-OF-THE-BOX`),
      ];
      const harness = `sandboxDomains: [${hostname()}], permissions: bypass`;
      const { said } = await turn(scene, "boxed", acts, { ...clones, harness, env });
      for (const mark of held) holds(`${mark} stays outside`, !said.includes(mark), said);
      for (const mark of ["TOOL-RUNS", "PUBLIC", "1000000001", "ASKED 0", "https_proxy=http://"])
        holds(mark, said.toLowerCase().includes(mark.toLowerCase()), said);
      const open = await turn(scene, "open", acts, {
        ...clones,
        harness: `${harness}, sandbox: off`,
        env,
      });
      for (const mark of held)
        holds(`${mark} is read without the sandbox`, open.said.includes(mark), open.said);
    },
  ),
];

const clones: MoreKeys = { workspace: "strategy: clone" };
const passed = "env: { FEED_TOKEN: PRACTICE-TOKEN-OF-A-REGISTRY }";
/** A network whose certificates Node does not know by itself says where they are. */
const authorities =
  process.env["NODE_EXTRA_CA_CERTS"] === undefined
    ? ""
    : `, env: { NODE_EXTRA_CA_CERTS: ${JSON.stringify(process.env["NODE_EXTRA_CA_CERTS"])} }`;
const bash = (command: string): string => `{{stub:bash ${command}}}`;

type Look = (world: World, service: Service, checkout: string, said: string) => Promise<void>;

/** What is said on the first issue, oldest first. */
async function commentsOf({ host }: World): Promise<readonly string[]> {
  const response = await fetch(`${host.apiUrl}/repos/practice/garden/issues/1/comments`, {
    headers: { authorization: "token practice-ada" },
  });
  const list: unknown = await response.json();
  return Array.isArray(list)
    ? list.map((comment: unknown) =>
        typeof comment === "object" && comment !== null && "body" in comment
          ? String(comment.body)
          : "",
      )
    : [];
}

/**
 * Lets an agent act in turns of a service of its own, until the last of the acts is done;
 * `meanwhile` runs beside.
 */
async function turn(
  scene: Scene,
  name: string,
  acts: readonly string[] | ((forward: number) => readonly string[]),
  keys: MoreKeys,
  look: Look = async () => {},
  meanwhile?: (checkout: string) => Promise<void>,
): Promise<{ readonly said: string; readonly checkout: string }> {
  const world = await openWorld(scene);
  const before = new Set(conversations(scene));
  const forward = await forwardTo(Number(new URL(world.host.url).port));
  try {
    const service = await world.service(name, "host-webhook", [], keys);
    await service.start();
    world.startIssue((typeof acts === "function" ? acts(forward.port) : acts).join(" "));
    const checkout =
      keys.folder === undefined
        ? String((await service.event("checkout.prepared")).fields["workdir"])
        : path.join(scene.dir, keys.folder);
    await meanwhile?.(checkout);
    await service.event("turn.done");
    const [id = ""] = conversations(scene).filter((each) => !before.has(each));
    const said = scene
      .transcript(id)
      .map((line) => JSON.stringify(line["toolUseResult"] ?? null))
      .join("\n");
    await look(world, service, checkout, said);
    return { said, checkout };
  } finally {
    await world.close();
    forward.close();
  }
}

/**
 * The practice host under a name of this machine: loopback is not there in the sandbox, and a proxy
 * outside looks names up.
 */
async function forwardTo(port: number): Promise<{ readonly port: number; close(): void }> {
  const server = createTcpServer((socket) => {
    const to = connect(port, "127.0.0.1");
    for (const [from, into] of [
      [socket, to],
      [to, socket],
    ] as const)
      from.on("error", () => into.destroy()).pipe(into);
  }).listen(0, "0.0.0.0");
  await new Promise((resolve) => server.once("listening", resolve));
  return { port: portOf(server.address()).port, close: () => void server.close() };
}

function portOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address;
}

function checkoutOf(scene: Scene, name: string, number: number): string {
  const [found] = globSync(path.join(scene.dir, `checkouts-${name}/.work-items/*+${number}/*/*/*`));
  if (found === undefined) throw new Error(`there is no checkout of #${number}`);
  return found;
}

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function git(dir: string, ...args: readonly string[]): string {
  return spawnSync("git", args, { cwd: dir, encoding: "utf8" }).stdout.trim();
}

/** Processes of the harness itself that work in a checkout. */
function harnessOf(scene: Scene, checkout: string): readonly number[] {
  return processes(
    (pid) =>
      readlinkSync(`/proc/${pid}/exe`) === scene.subject.command &&
      readlinkSync(`/proc/${pid}/cwd`) === checkout,
  );
}

/** Processes that name a folder on their command line. */
function leftOf(folder: string): readonly number[] {
  return processes((pid) => textOf(`/proc/${pid}/cmdline`).includes(`UNIX-LISTEN:${folder}`));
}

function processes(isMeant: (pid: string) => boolean): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return isMeant(pid) ? [Number(pid)] : [];
      } catch {
        return []; // It ended, or is somebody else's.
      }
    });
}
