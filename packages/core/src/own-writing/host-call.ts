/** One use of a tool by an agent, as its harness tells a hook afterwards. */
export type ToolUseEnd = {
  readonly tool: string;
  readonly input: unknown;
  readonly output: unknown;
};

/**
 * A call of the code host's command line, or of its interface, within a command line; `rest` are
 * the words behind the program.
 */
export type HostCall = {
  readonly program: "gh" | "tea" | "curl";
  readonly rest: readonly string[];
};

/**
 * As much as is read of a command or of an output, in UTF-16 units: what is told of a call stands
 * at its beginning.
 */
export const mostRead = 65_536;

/** Calls to the code host in a shell's command line; none for another tool. */
export function hostCallsOf({
  tool,
  input,
}: Pick<ToolUseEnd, "tool" | "input">): readonly HostCall[] {
  if (tool !== "Bash" && tool !== "Shell") return [];
  const words = textAt(input, "command")
    .slice(0, mostRead)
    .split(/\s/)
    .filter((word) => word !== "");
  return words.flatMap((word, at) => {
    const program = word.slice(word.lastIndexOf("/") + 1);
    return program === "curl" || program === "gh" || program === "tea"
      ? [{ program, rest: words.slice(at + 1, at + 1 + mostWords) }]
      : [];
  });
}

/** Options stand among the first words of a call; the text of a comment may follow. */
const mostWords = 200;

/**
 * Words of a server's tool in lower case, such as `mcp`, `github`, `create`, `pull`, `request`;
 * none for a tool of the harness.
 */
export function serverToolWords(tool: string): readonly string[] {
  return tool.startsWith("mcp__") || tool.startsWith("MCP:")
    ? tool.toLowerCase().split(/[_:.-]/)
    : [];
}

/**
 * Whether a call of an interface changes something. A field makes one a post by itself, unless it
 * says that it reads; a query is one only where it says so.
 */
export function changesSomething({ program, rest }: HostCall): boolean {
  if (program !== "curl" && rest.includes("graphql"))
    return rest.some((each) => each.includes("mutation"));
  const writes = (each: string, n: number): boolean =>
    (program === "curl" ? isData(each) : isField(each)) || isMethod(each, rest[n + 1], methods);
  return rest.some(writes) && !rest.some((each, n) => isMethod(each, rest[n + 1], readMethods));
}

const methods: ReadonlySet<string | undefined> = new Set(["POST", "PATCH", "PUT"]);
const readMethods: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"]);

function isMethod(
  word: string,
  next: string | undefined,
  among: ReadonlySet<string | undefined>,
): boolean {
  const short = word.startsWith("-") && !word.startsWith("--") && word.endsWith("X"); // Also at the end of others, as in -sX.
  if (short || word === "--method" || word === "--request") return among.has(next?.toUpperCase());
  return [...among].some(
    (method) =>
      word === `-X${method}` || word === `--method=${method}` || word === `--request=${method}`,
  );
}

function isField(word: string): boolean {
  return ["-f", "-F", "--field", "--raw-field", "--input"].some(
    (option) => word === option || word.startsWith(`${option}=`),
  );
}

function isData(word: string): boolean {
  return word === "-d" || word === "--json" || word.startsWith("--data");
}

/** Every text in what a tool returned: servers wrap theirs in lists of parts. */
export function textsOf(value: unknown, depth: number): readonly string[] {
  if (typeof value === "string") return [value];
  if (depth > 3 || typeof value !== "object" || value === null) return [];
  return Object.values(value)
    .slice(0, 50)
    .flatMap((each) => textsOf(each, depth + 1));
}

/** The text under a key of an object; empty where there is none. */
export function textAt(value: unknown, key: string): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "";
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof found === "string" ? found : "";
}

/** A text as JSON where it is an object; null else. */
export function parseObject(text: string): unknown {
  if (!text.trimStart().startsWith("{")) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
