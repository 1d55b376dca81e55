/** What one declaration file says, by the names that it uses itself. */
export type Declarations = {
  /** Statements of each name, without comments, `export` and `declare`; several for overloads. */
  readonly own: ReadonlyMap<string, readonly string[]>;
  readonly imported: ReadonlyMap<string, Elsewhere>;
  /** Exported name → its own name, or that of another file. */
  readonly exported: ReadonlyMap<string, Elsewhere | string>;
  /** Files all of whose exports it passes on. */
  readonly stars: readonly string[];
};

export type Elsewhere = { readonly from: string; readonly name: string };

const declares =
  /^(?:export )?(?:declare )?(?:abstract )?(?:type|interface|class|const|let|var|function|enum|namespace) ([A-Za-z_$][\w$]*)/;
const star = /^export (?:type )?\* from "([^"]+)";$/;
const lists = /^(import|export) (?:type )?\{([^}]*)\}(?: from "([^"]+)")?;?$/;

/**
 * Reads a declaration file as the compiler of this repository writes it. Throws at a form it does
 * not know, lest a name be missing from a report without anybody noticing.
 */
export function parseDeclarations(text: string): Declarations {
  const own = new Map<string, string[]>();
  const imported = new Map<string, Elsewhere>();
  const exported = new Map<string, Elsewhere | string>();
  const stars: string[] = [];
  for (const statement of statementsOf(withoutComments(text))) {
    const name = declares.exec(statement)?.[1];
    const all = star.exec(statement)?.[1];
    const list = lists.exec(statement.replaceAll(/\s+/g, " "));
    if (name !== undefined) {
      own.set(name, [
        ...(own.get(name) ?? []),
        statement.replace(/^export /, "").replace(/^declare /, ""),
      ]);
      if (statement.startsWith("export ")) exported.set(name, name);
    } else if (all !== undefined) stars.push(all);
    else if (list !== null) {
      for (const [outside, inside] of namesOf(list[2] ?? "")) {
        if (list[1] === "import") imported.set(inside, { from: list[3] ?? "", name: outside });
        else
          exported.set(inside, list[3] === undefined ? outside : { from: list[3], name: outside });
      }
    } else if (!/^import "[^"]+";$/.test(statement))
      throw new Error(`a declaration of an unknown form: ${statement.slice(0, 200)}`);
  }
  return { own, imported, exported, stars };
}

/** `a, type b as c` as pairs of the name there and the name here. */
function namesOf(list: string): readonly (readonly [string, string])[] {
  return list
    .split(",")
    .map((each) => each.trim().replace(/^type /, ""))
    .filter((each) => each !== "")
    .map((each) => {
      const [outside = "", inside = outside] = each.split(" as ");
      return [outside, inside] as const;
    });
}

/**
 * Names of types and `typeof` values that a statement speaks of; property names and text do not
 * count.
 */
export function namesIn(statement: string): ReadonlySet<string> {
  const text = statement.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  return new Set(
    [...text.matchAll(/(?<![.\w$])(?:[A-Z][\w$]*|(?<=typeof )[a-z_$][\w$]*)/g)].map(
      ([name]) => name,
    ),
  );
}

/** A statement ends with `;` outside of brackets, or with the body of what needs none. */
function statementsOf(text: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { at, char } of outsideOfText(text)) {
    if ("{([".includes(char)) depth += 1;
    if ("})]".includes(char)) depth -= 1;
    const ends =
      depth === 0 &&
      (char === ";" ||
        (char === "}" &&
          /^\s*(?:export )?(?:declare )?(?:abstract )?(?:interface|class|enum|namespace) /.test(
            text.slice(from, at),
          )));
    if (!ends) continue;
    found.push(text.slice(from, at + 1).trim());
    from = at + 1;
  }
  return found.filter((statement) => statement !== ";");
}

/** Characters that do not stand in quotes. */
function* outsideOfText(text: string): Iterable<{ readonly at: number; readonly char: string }> {
  let quote = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote !== "") {
      if (char === "\\") at += 1;
      else if (char === quote) quote = "";
    } else if (char === '"' || char === "'" || char === "`") quote = char;
    else yield { at, char };
  }
}

function withoutComments(text: string): string {
  const kept = text.replaceAll(/"(?:[^"\\\n]|\\.)*"|`[^`]*`|\/\*[^]*?\*\/|\/\/[^\n]*/g, (found) =>
    found.startsWith("/") ? "" : found,
  );
  return kept
    .split("\n")
    .filter((line) => line.trim() !== "")
    .join("\n");
}
