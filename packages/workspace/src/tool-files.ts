/**
 * Files and folders from which a tool takes orders: what it runs, loads, is told or fetches from
 * without being asked for it by name. Names are folded, as `foldPath` does.
 *
 * - `names`: the whole name of a file or folder, anywhere in a tree.
 * - `forms`: the same, where a tool reads one per machine, per environment or per format.
 * - `below`: names in a folder of this name, anywhere in a tree.
 * - `places`: two names from the root of a tree, and everything below.
 * - `files`: a file's whole path from the root of a tree; a folder there is the project's own.
 */
type ToolFiles = {
  readonly names?: readonly string[];
  readonly forms?: readonly RegExp[];
  readonly below?: Readonly<Record<string, RegExp>>;
  readonly places?: readonly string[];
  readonly files?: readonly RegExp[];
};

/**
 * Not listed: what only picks a version among the ones of the tool's own maker or of this machine
 * (`.nvmrc`, `.node-version`, `.sdkmanrc`), and what is run by name only, as code of the head is
 * (`Makefile`, `gradlew`, scripts of `package.json`).
 */
const tools: Readonly<Record<string, ToolFiles>> = {
  // Agents: instructions, hooks and servers that they start.
  claudeCode: { names: [".claude", "claude.md", "claude.local.md", ".mcp.json"] },
  agents: { names: ["agent.md", "agents.md", "agents.override.md", ".agents", ".rules"] },
  // Ours, and what sessions are told at their start.
  loop: { names: [".loop"], places: ["docs/learnings"] },
  cursor: { names: [".cursor", ".cursorrules"] },
  windsurf: { names: [".windsurf", ".windsurfrules"] },
  codex: { names: [".codex"] },
  gemini: { names: [".gemini", "gemini.md"] },
  opencode: { names: [".opencode", "opencode.json", "opencode.jsonc"] },
  qwen: { names: [".qwen", "qwen.md"] },
  aider: { names: [".aider.conf.yml", "conventions.md"] },
  roo: { names: [".roo", ".roorules", ".roomodes"] },
  kilocode: { names: [".kilocode", ".kilocodemodes"] },
  warp: { names: ["warp.md"] },
  crush: { names: ["crush.md", ".crush"] },
  otherAgents: {
    names: [
      ...[".clinerules", ".goosehints", ".junie", ".kiro", ".trae", ".augment", ".amazonq"],
      ...[".continue", ".factory", ".amp", ".agent", ".cline", ".openhands", ".aiassistant"],
      ...[".qoder", ".codebuddy", ".zencoder", ".tabnine", ".sourcegraph"],
    ],
  },
  // Skills bring scripts along; language servers and MCP servers are programs.
  copilot: {
    places: [
      ...[".github/copilot-instructions.md", ".github/instructions", ".github/agents"],
      ...[".github/prompts", ".github/chatmodes", ".github/hooks", ".github/skills"],
      ...[".github/copilot", ".github/mcp.json", ".github/lsp.json"],
    ],
    files: [/^lsp\.json$/u],
  },

  // Editors: tasks that run when a folder is opened, and programs that they start by themselves.
  vscode: {
    names: [".vscode", ".devcontainer", ".devcontainer.json"],
    forms: [/\.code-workspace$/u],
  },
  idea: { names: [".idea"] },
  zed: { names: [".zed"] },
  helix: { names: [".helix"] },
  vim: {
    names: [
      ...[".exrc", ".vimrc", ".nvimrc", ".nvim.lua", ".vim", ".nvim", ".lvimrc", ".lazy.lua"],
      ...[".local.vimrc", ".neoconf.json"],
    ],
  },
  otherEditors: {
    names: [".kateproject", ".nova", ".fleet", ".vs", ".lapce"],
    forms: [/\.sublime-project$/u],
  },
  emacs: { names: [".dir-locals.el", ".dir-locals-2.el"] },

  // Servers that editors start: how the project's own say to be started, and what they run.
  languageServers: {
    names: [
      ...[".bsp", ".bloop", "hie.yaml", ".merlin", "rust-project.json", ".rust-project.json"],
      ...["rust-analyzer.toml", ".luarc.json", ".luarc.jsonc", ".factorypath"],
      ...[".externaltoolbuilders"],
    ],
  },

  // What a debugger or an interactive interpreter runs when it starts in a folder.
  interpreters: {
    names: [
      ...[".irbrc", ".pryrc", ".rdbgrc", ".rdbgrc.rb", ".byebugrc", ".pdbrc", ".pdbrc.py"],
      ...[".iex.exs", ".ghci", ".rprofile", ".renviron", ".octaverc", ".ocamlinit", ".perldb"],
      ...[".gdbinit", ".lldbinit"],
    ],
  },

  // What sets a shell up, and decides which program a name means there.
  direnv: { names: [".envrc"] },
  autoenv: { names: [".autoenv", ".autoenv.zsh"] },
  rvm: { names: [".rvmrc"] },
  asdf: { names: [".tool-versions"] },
  // A toolchain may be a path, another maker's, or come with a plugin.
  toolchains: {
    names: [
      ...["rust-toolchain", "rust-toolchain.toml", "lean-toolchain", "global.json"],
      ...[".prototools", ".moon", ".fvm", ".fvmrc"],
    ],
    forms: [/^\.?aqua\.ya?ml$/u],
  },
  pixi: { names: [".pixi"] },
  // Hooks on entering a folder, and tasks that those run. `mise/tasks` is left, as a project's own
  // folder may be named so.
  mise: {
    names: [".mise", "mise-tasks", ".mise-tasks"],
    forms: [/^\.?mise(?:rc)?(?:\.[^/]+)?\.toml$/u],
    below: { ".config": /^mise$/u, mise: /^config(?:\.[^/]+)?\.toml$/u },
  },

  // Hook runners: every commit runs what they name, and the scripts in their folders.
  // The usual name of the folder that core.hooksPath is set to.
  gitHooks: { names: [".githooks"] },
  husky: {
    names: [".husky"],
    forms: [/^\.huskyrc(?:\.[^/]+)?$/u, /^husky\.config\.[cm]?[jt]s$/u],
  },
  lefthook: {
    names: [".lefthook", ".lefthook-local"],
    forms: [/^\.?lefthook(?:-local)?\.(?:ya?ml|toml|jsonc?)$/u],
  },
  lintStaged: {
    forms: [/^\.lintstagedrc(?:\.[^/]+)?$/u, /^lint-staged\.config\.[cm]?[jt]s$/u],
  },
  simpleGitHooks: { forms: [/^\.?simple-git-hooks\.(?:[cm]?[jt]s|json)$/u] },
  preCommit: { names: ["prek.toml"], forms: [/^\.pre-commit-config\.ya?ml$/u] },
  otherHooks: {
    names: ["captainhook.json", "whisky.json", ".trunk", ".cargo-husky"],
    forms: [
      /^\.?hk(?:\.local)?\.pkl$/u,
      /^\.?grumphp(?:\.dist)?\.ya?ml(?:\.dist)?$/u,
      /^\.?rusty-hook\.toml$/u,
      /^\.nano-staged\.(?:[cm]?js|json)$/u,
      /^nano-staged\.[cm]?js$/u,
    ],
  },
  overcommit: { names: [".git-hooks"], forms: [/^\.overcommit(?:\.local)?\.ya?ml$/u] },

  // Git's large-file extension: the addresses that it asks, with logins.
  gitLfs: { files: [/^\.lfsconfig$/u] },

  // Package managers and build tools: plugins that they load, and where they fetch from.
  npm: { names: [".npmrc"] },
  corepack: { names: [".corepack.env"] },
  yarn: { names: [".yarnrc", ".yarnrc.yml", ".yarn", ".pnp.cjs", ".pnp.loader.mjs"] },
  // The list of its packages names its hooks as well.
  pnpm: { names: [".pnpmfile.cjs", ".pnpmfile.mjs", "pnpm-workspace.yaml"] },
  bun: { names: ["bunfig.toml", ".bunfig.toml"] },
  cargo: { names: [".cargo"] },
  // A Python version may be the path of a program.
  uv: { names: ["uv.toml", ".python-version", ".python-versions"] },
  bundler: { names: [".bundle"] },
  nuget: { names: ["nuget.config"] },
  maven: { names: [".mvn"] },
  // Options of the machine load agents; an rc file has commands.
  scala: { names: [".jvmopts", ".sbtopts", ".sbtrc", ".mill-jvm-opts", ".mill-opts"] },
  ansible: { names: ["ansible.cfg"] },
  buck: {
    names: [".buckconfig", ".buckconfig.local", ".buckconfig.d", ".buckjavaargs", ".buckversion"],
  },
  please: { forms: [/^\.plzconfig(?:[._][^/]+)?$/u] },
  // A version may name another maker's; `tools/bazel` runs in the place of bazel.
  bazel: {
    names: [".bazelrc", ".bazeliskrc", ".bazelversion", ".aspect"],
    files: [/^tools\/bazel(?:\.(?:exe|bat|ps1))?$/u],
  },
};

const rows: readonly ToolFiles[] = Object.values(tools);
const names: ReadonlySet<string> = new Set(rows.flatMap((row) => row.names ?? []));
const forms: readonly RegExp[] = rows.flatMap((row) => row.forms ?? []);
const below = new Map(rows.flatMap((row) => Object.entries(row.below ?? {})));
const places: ReadonlySet<string> = new Set(rows.flatMap((row) => row.places ?? []));
const files: readonly RegExp[] = rows.flatMap((row) => row.files ?? []);

/** How many names of a path, already folded, lead to a tool's file or folder; null for no such. */
export function toolDepth(path: readonly string[]): number | null {
  const at = path.findIndex((name, index) => isNamed(name) || isBelow(name, path[index + 1]));
  const name = path[at];
  if (name !== undefined) return at + (isBelow(name, path[at + 1]) ? 2 : 1);
  if (places.has(path.slice(0, 2).join("/"))) return 2;
  return isToolFile(path.join("/")) ? path.length : null;
}

/** Whether a folded path counts as a file only. */
export function isToolFile(path: string): boolean {
  return files.some((file) => file.test(path));
}

/** Names of folders that lead to a tool's files from anywhere in a tree. */
export const leadingFolders: ReadonlySet<string> = new Set(below.keys());

/** Paths below the folders that lead to a tool's files from the root of a tree. */
export const placesBelow: readonly string[] = [...places, "tools/bazel"];

function isNamed(name: string): boolean {
  return names.has(name) || forms.some((form) => form.test(name));
}

function isBelow(folder: string, name: string | undefined): boolean {
  return name !== undefined && below.get(folder)?.test(name) === true;
}
