import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { citationBreaches } from "./citations.ts";
import { readMembers, referenceBreaches } from "./references.ts";

/** One rule about the text of the repository's files. A file may break it once per line. */
export type Rule = {
  readonly name: string;
  readonly files: RegExp;
  readonly except?: RegExp;
  readonly pattern: RegExp;
};

export type TextFile = { readonly path: string; readonly text: string };

const typescript = /\.(ts|mts|mjs)$/;
const self = /^tooling\/lint\/(src\/repository-rules|test\/)/;
const packageSource = /^packages\/[^/]+\/src\/.*\.ts$/;

/**
 * Comparisons of logins, and look-ups by one: with anything but a literal word, with letters
 * folded, or in a list.
 */
const comparisonOfLogins = new RegExp(
  [
    String.raw`\b\w*[lL]ogin\b\)?\s*[!=]==?(?!=|\s*(?:null|undefined|"))`,
    String.raw`[!=]==?\s*[\w.?]*(?:\b|\w)[lL]ogin\b`,
    String.raw`[lL]ogin\)?\??\.(?:to(?:Locale)?(?:Lower|Upper)Case|localeCompare|normalize)\(`,
    String.raw`\bsameName\([^()]*[lL]ogin\b`,
    String.raw`\b(?:authorizedUsers|logins)\??\.(?:has|includes)\(`,
    String.raw`\.(?:has|get|includes|indexOf|startsWith)\([^()]*\.login\b`,
  ].join("|"),
);

/** A request that would follow redirects by itself, or by a client that this rule does not know. */
const requestThatFollows = new RegExp(
  [
    String.raw`^(?!.*\bredirect: "(?:error|manual)").*(?<![.\w]|function )fetch\(`,
    String.raw`\bglobalThis\.fetch\b`,
    String.raw`^(?!import type ).*\{[^}]*\b(?:request|get)\b[^}]*\} from "(?:node:)?https?"`,
    String.raw`\bhttps?\.(?:request|get)\(`,
    String.raw`\b(?:from|import\() ?["'](?:undici|(?:node:)?http2|axios|got|ky|node-fetch)["']`,
    String.raw`\bnew (?:EventSource|WebSocket|XMLHttpRequest)\(`,
  ].join("|"),
);

/**
 * Names of the host that are compared or looked up folded in another way than `foldName` folds:
 * both sides of a comparison in lower case, whatever they are called, and owners, repositories,
 * labels and refs in lower case anywhere.
 */
const foldedOtherwise = new RegExp(
  [
    // Ids of sessions are hexadecimal digits, and the hook that compares them imports nothing.
    String.raw`(?<!essionId(?:"\]\))?\??)\.to(?:Locale)?(Lower|Upper)Case\(\)\s*[!=]==?[^;]*\.to(?:Locale)?\1Case\(`,
    String.raw`\b(?:localeCompare\([^()]*sensitivity|new Intl\.Collator\()`,
    String.raw`\b(?:\w*[rR]epository|\w*[oO]wner|\w*[lL]abel|full_?[nN]ame|pullRequest|\w*[rR]epo|` +
      String.raw`\w*[sS]lug)(?:\.name|\([^()]*\))?\)?\??\.to(?:Locale)?(?:Lower|Upper)Case\(`,
    String.raw`\$\{[^}]*(?:owner|repo|name)[^}]*\}[^\u0060]*\u0060\.to(?:Locale)?(?:Lower|Upper)Case\(`,
  ].join("|"),
);

/** Ways to open or to write a file that wait for a pipe, follow a link or trust a size. */
const opensFile = new RegExp(
  [
    String.raw`^import\b.*\b(?:readFile|open|createReadStream|createWriteStream|appendFile|truncate)` +
      String.raw`(?:Sync)?\b.*\bfrom "(?:node:)?fs(?:/promises)?"`,
    String.raw`^import (?:\* as )?\w+ from "(?:node:)?fs(?:/promises)?"`,
    String.raw`\b(?:import\(|getBuiltinModule\()"(?:node:)?fs`,
    String.raw`(?<!\.)\bwriteFile(?:Sync)?\((?!.*\bflag: "wx")`,
  ].join("|"),
);

/** Modules that work below `turns/`, where whoever works in a turn may put anything. */
const belowTurns = new RegExp(
  "^packages/(?:" +
    [
      String.raw`cli/src/(?:files/follow-file|processes/(?:run-process|run-to-end|start-child))\.ts$`,
      String.raw`cli/src/turn-folder/`,
      String.raw`cli/src/(?:hook/stop-gate|start/hook-records)\.ts$`,
      String.raw`harness-a/src/`,
    ].join("|") +
    ")",
);

/** Rules that no linter of ours has; docs/architecture.md#what-may-never-be says why. */
export const rules: readonly Rule[] = [
  {
    name: "no module mocks",
    files: typescript,
    except: self,
    pattern: /\bvi\.(mock|doMock|unstable_mockModule|hoisted)\(/,
  },
  {
    name: "no focused, skipped or planned tests",
    files: /\.test\.ts$/,
    except: self,
    pattern: /\b(it|test|describe|bench)(\.\w+)*\.(only|skip|todo|fails)\b/,
  },
  {
    name: "no decorator syntax",
    files: typescript,
    except: self,
    pattern:
      /^\s*@[a-zA-Z]\w*(\([^)]*\))?\s*((export|default|abstract) )*(class|static|async|public|private|get|set)\b/,
  },
  {
    name: "no compiler ignores",
    files: typescript,
    except: self,
    pattern: /@ts-(ignore|nocheck)|(eslint|oxlint)-disable(?!-next-line \S)/,
  },
  {
    name: "nothing unfinished",
    files: /^(packages|plugins|tooling)\/.*\/(src|skills|commands|templates|hooks)\//,
    except: self,
    pattern: /\b(TODO|FIXME|XXX)\b|(\/\/|^\s*\/?\*).*\bfor now\b|[Nn]ot (yet )?implemented/,
  },
  {
    name: "no package registry",
    files: /./,
    except: self,
    pattern:
      /https?:\/\/[\w.-]*(registry|artifactory|nexus|npm-proxy|pypi)[\w.-]*|_authToken|^\s*registry\s*=/,
  },
  {
    name: "sibling imports only in cli/src/start",
    files: packageSource,
    except: /^packages\/(cli\/src\/start|store-postgres\/src)\//,
    pattern:
      /(from|import\() ?["']@loopwork\/(cli|receiver|control-plane|learnings|workspace|harness-a|harness-b|store|codehost)/,
  },
  {
    name: "cli alone imports the runtime",
    files: packageSource,
    except: /^packages\/cli\/src\//,
    pattern: /(from|import\() ?["']@loopwork\/runtime/,
  },
  // Types as well, of which nothing is left in the built files.
  {
    name: "the runtime opens no file, socket or process",
    files: /^packages\/runtime\/src\//,
    pattern:
      /(from|import\() ?["'](?:node:)?(?:fs|child_process|net|os|http|https|http2|tls|dgram|dns|worker_threads|cluster|process|readline|tty|stream)\b/,
  },
  {
    name: "tests of a package import no sibling",
    files: /^packages\/(?!(?:cli|store-postgres)\/)[^/]+\/test\/.*\.ts$/,
    pattern:
      /(from|import\() ?["']@loopwork\/(cli|receiver|control-plane|learnings|workspace|harness-a|harness-b|store|codehost|runtime)/,
  },
  {
    name: "core waits for nothing",
    files: /^packages\/core\/src\/(?!testing\/|ports\/)/,
    pattern: /\b(async|await)\s|\bnew Promise\b|\.then\(/,
  },
  // A login is given out again, folds with letters of other scripts, and has two spellings for
  // bots: `sameAccount` knows all that.
  {
    name: "accounts are compared by sameAccount alone",
    files: packageSource,
    except: /^packages\/core\/src\/accounts\/account\.ts$/,
    pattern: comparisonOfLogins,
  },
  // Hosts ignore the case of ASCII letters alone, so a fold of other letters makes two names one.
  {
    name: "names fold by foldName alone",
    files: packageSource,
    // Learnings compare sentences, whose letters fold as people's words do.
    except: /^packages\/core\/src\/(?:accounts\/fold-name\.ts$|learnings\/)/,
    pattern: foldedOtherwise,
  },
  // Each child gets an environment that was made for its kind; one that gets ours has our secrets,
  // and what a git hook around us set.
  {
    name: "programs are started by cli/src/processes/child-process",
    files: packageSource,
    except: /^packages\/cli\/src\/(processes\/(child-process|output-of)|git\/ask-git)\.ts$/,
    pattern: /^(?!import type ).*["'](?:node:)?child_process["']/,
  },
  {
    name: "a planned child gets the environment of its plan",
    files: packageSource,
    except:
      /^packages\/(cli\/src\/processes\/(run-to-end|run-process)|runtime\/src\/(turn\/attempt|graph\/judges-at-work)|harness-[ab]\/src\/(probe|receipt-proof))\.ts$/,
    pattern: /\b(?:run|processes)\.spawn\(/,
  },
  {
    name: "an environment is made by the kind of child",
    files: packageSource,
    except:
      /^packages\/(runtime\/src\/(child-environment|graph\/ask-harness)|cli\/src\/(processes\/start-child|terminal\/run-tmux|start\/launch-broker))\.ts$/,
    pattern: /\bChildEnvironment\.(?:exactly|planned)\(/,
  },
  {
    name: "the environment of this process is read where it starts",
    files: packageSource,
    except:
      /^packages\/(cli\/src\/(run-loop|io\/unattended-io|processes\/output-of|git\/ask-git|files\/compile-cache)|receiver\/src\/(run|compile-cache))\.ts$/,
    pattern: /\bprocess\.env\b|\{[^}]*\benv\b[^}]*\} = process\b/,
  },
  // Another origin would get what was meant for the first, and be believed in its place.
  {
    name: "a request says what becomes of redirects",
    files: /^(?:packages\/[^/]+\/src|plugins)\/.*\.(?:ts|tsx|mjs|js)$/,
    except:
      /^packages\/(?:codehost\/src\/(?:client|octokit|own-origin|guarded-fetch)|workspace\/src\/(?:apply|fetches))\.ts$/,
    pattern: requestThatFollows,
  },
  {
    name: "what stands below turns/ is opened by plain-file alone",
    files: belowTurns,
    except:
      // The user's own settings and git's pointers, opened without waiting, and processes.
      /^packages\/(?:harness-a\/src\/(?:plain-file|replace-file|spawn-directory|live-session|sandbox\/(?:left-processes|machine)))\.ts$/,
    pattern: opensFile,
  },
  // A reader of the source can't look the number up; titles of tests carry it beside their sentence.
  {
    name: "no number of a hostile case in a comment",
    files: /^(?:packages|tooling)\/[^/]+\/src\/.*\.ts$/,
    pattern: /^\s*(?:\/\/|\/?\*).*\b[ACDPRSTWX]\d\d\b/,
  },
  {
    name: "a product package never names tooling",
    files: packageSource,
    pattern: /@loopwork-tooling\//,
  },
];

/**
 * Folders that say on whose machine something was written: the one this checkout lies in, and the
 * person's own.
 */
export function machineRule(root: string, home: string): Rule {
  const shared = new Set([
    "tmp",
    "home",
    "Users",
    "var",
    "opt",
    "srv",
    "mnt",
    "usr",
    "builds",
    "private",
  ]);
  const top = root.split("/")[1] ?? "";
  const folders = [home, root, ...(top === "" || shared.has(top) ? [] : [`/${top}`])].filter(
    (folder) => folder.length > 1,
  );
  const alternatives = folders
    .map((folder) => folder.replaceAll(/[^\w/]/g, String.raw`\$&`))
    .join("|");
  return {
    name: "no path of a machine",
    files: /./,
    pattern: new RegExp(`(?:^|[\\s"'\`(=:])(?:${alternatives})/[\\w.-]`),
  };
}

/** `file:line: rule` for each line that breaks one. */
export function breaches(files: readonly TextFile[], against: readonly Rule[]): readonly string[] {
  return files.flatMap((file) =>
    against
      .filter((rule) => rule.files.test(file.path) && rule.except?.test(file.path) !== true)
      .flatMap((rule) => breachesOf(rule, file)),
  );
}

function breachesOf(rule: Rule, file: TextFile): readonly string[] {
  const lines = typescript.test(file.path) ? joinStatements(file.text) : file.text.split("\n");
  return lines.flatMap((line, index) =>
    rule.pattern.test(line) ? [`${file.path}:${index + 1}: ${rule.name}`] : [],
  );
}

/**
 * Lines of a source, where an import list or a request that the formatter broke stands whole in its
 * first line.
 */
function joinStatements(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.map((line, index) => {
    const [open, close] = /^\s*(?:import\b|export (?:type )?\{)/u.test(line)
      ? ["{", "}"]
      : ["(", ")"];
    if (open === "(" && !/\bfetch\(/u.test(line)) return line;
    let joined = line;
    for (const next of lines.slice(index + 1, index + 40)) {
      if (joined.split(open).length <= joined.split(close).length) break;
      joined += ` ${next.trim()}`;
    }
    return joined;
  });
}

/** Text files that git tracks, or would track; lockfiles and pictures are left out. */
export function trackedFiles(root: string): readonly TextFile[] {
  const names = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  }).split("\n");
  return names
    .filter(
      (name) =>
        name !== "" &&
        !/(^|\/)(pnpm-lock\.yaml|package-lock\.json)$|\.(png|ico|woff2?)$/.test(name),
    )
    .flatMap((path) => {
      try {
        return [{ path, text: readFileSync(join(root, path), "utf8") }];
      } catch {
        return []; // Deleted in the work tree, and not yet in the index.
      }
    });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const files = trackedFiles(process.cwd());
  const found = [
    ...breaches(files, [...rules, machineRule(process.cwd(), homedir())]),
    ...referenceBreaches(readMembers(process.cwd())),
    ...citationBreaches(files, existsSync),
  ];
  process.stdout.write([`${files.length} files read`, ...found, ""].join("\n"));
  process.exitCode = found.length === 0 && files.length > 0 ? 0 : 1;
}
