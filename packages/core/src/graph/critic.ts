import { escapeInline } from "../text/hidden-characters.ts";
import { isJsonObject } from "../event/parse-payload.ts";
import type {
  CriticFinding,
  Judgement,
  Severity,
  StandingFinding,
} from "../work-item/graph-record.ts";

const severities: readonly Severity[] = ["blocker", "major", "minor"];

/** What one critic came to; `why` when it gave no verdict. */
export type CriticReport = { readonly critic: string } & (
  | { readonly ok: true; readonly findings: readonly CriticFinding[] }
  | { readonly ok: false; readonly why: string }
);

export const criticLimits = {
  findings: 100,
  characters: 262_144,
  title: 300,
  detail: 4_000,
  rounds: 6,
  repeats: 3,
} as const;

/**
 * Reads the verdict that a critic printed: exactly one JSON object, `{"verdict": "pass" | "fail",
 * "findings": [...]}`. Whatever else stands there is no verdict: half a one must not pass for one.
 */
export function parseVerdict(
  text: string,
):
  | { readonly ok: true; readonly findings: readonly CriticFinding[] }
  | { readonly ok: false; readonly why: string } {
  if (text.length > criticLimits.characters)
    return no(`it printed more than ${criticLimits.characters} characters`);
  const value = parsed(text);
  if (!isJsonObject(value)) return no("it printed something else than one JSON object");
  const extra = Object.keys(value).find((key) => key !== "verdict" && key !== "findings");
  if (extra !== undefined)
    return no(`the verdict has an unknown key ${JSON.stringify(escapeInline(extra, 40))}`);
  const { verdict, findings = [] } = value;
  if (verdict !== "pass" && verdict !== "fail") return no('`verdict` is neither "pass" nor "fail"');
  if (!Array.isArray(findings) || findings.length > criticLimits.findings)
    return no(`\`findings\` is no list of at most ${criticLimits.findings}`);
  const read = findings.map((each: unknown) => readFinding(each));
  const wrong = read.findIndex((each) => each === null);
  if (wrong >= 0)
    return no(
      `findings[${wrong}] is not of the form {severity: blocker | major | minor, title, detail?, file?, line?}`,
    );
  const kept = read.filter((each) => each !== null);
  if ((verdict === "fail") !== kept.some(isBlocking))
    return no(
      verdict === "fail"
        ? "it fails the work and names no blocker or major finding"
        : "it passes the work and names a blocker or major finding",
    );
  return { ok: true, findings: kept };
}

/**
 * Folds a round of reports into what stood before it:
 *
 *     nothing blocks                                       → passed
 *     something blocks that is new, or was told once       → rework
 *     something blocks for the third round in a row        → escalated: telling it again will not help, a person decides
 *     something blocks for the sixth round                 → escalated
 *     somebody gave no verdict, and nobody blocks          → failed
 *
 * A series of rounds ends when one passes. What a critic found stands while that critic gives no
 * verdict.
 */
export function foldRound(last: Judgement | null, reports: readonly CriticReport[]): Judgement {
  const before = last?.outcome === "passed" ? null : last;
  const round = (before?.round ?? 0) + 1;
  const findings = merged(reports, before?.findings ?? []);
  const blocking = findings.filter(isBlocking);
  const silent = reports.flatMap((report) =>
    report.ok ? [] : [`${report.critic}: ${report.why}`],
  );
  if (blocking.length === 0)
    return silent.length === 0
      ? { round, outcome: "passed", findings, why: null }
      : { round, outcome: "failed", findings, why: silent.join("; ") };
  const repeated = blocking.filter(({ rounds }) => rounds >= criticLimits.repeats);
  if (repeated.length > 0)
    return {
      round,
      outcome: "escalated",
      findings,
      why: `found ${criticLimits.repeats} times in a row: ${repeated.map(({ title }) => title).join("; ")}`,
    };
  if (round >= criticLimits.rounds)
    return {
      round,
      outcome: "escalated",
      findings,
      why: `${round} rounds found something each time`,
    };
  return { round, outcome: "rework", findings, why: null };
}

export function isBlocking({ severity }: Pick<CriticFinding, "severity">): boolean {
  return severity !== "minor";
}

/** A finding in one line. */
export function findingSentence({ severity, title, file, line, critics }: StandingFinding): string {
  const place = file === null ? "" : ` (${file}${line === null ? "" : `:${line}`})`;
  return `${severity}: ${title}${place}, found by ${critics.join(", ")}`;
}

/**
 * Several critics that find the same thing found it once; what the round did not find again is
 * gone, unless who found it was silent.
 */
function merged(
  reports: readonly CriticReport[],
  before: readonly StandingFinding[],
): readonly StandingFinding[] {
  const found = new Map<string, StandingFinding>();
  for (const report of reports) {
    if (!report.ok) continue;
    for (const finding of report.findings) {
      const key = identity(finding);
      const known = found.get(key);
      const rounds = (before.find((each) => identity(each) === key)?.rounds ?? 0) + 1;
      const critics = [...new Set([...(known?.critics ?? []), report.critic])];
      found.set(key, {
        ...(known === undefined || heavier(finding, known) ? finding : known),
        critics,
        rounds,
      });
    }
  }
  for (const finding of before) {
    const critics = finding.critics.filter((critic) =>
      reports.some((report) => !report.ok && report.critic === critic),
    );
    if (critics.length > 0 && !found.has(identity(finding)))
      found.set(identity(finding), { ...finding, critics });
  }
  return [...found.values()].toSorted(
    (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity),
  );
}

/** Lines move with every edit, so they do not count. */
function identity({ file, title }: CriticFinding): string {
  const words = title.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, " ");
  return JSON.stringify([
    file,
    words
      .split(" ")
      .filter((word) => word !== "")
      .join(" "),
  ]);
}

function heavier(one: CriticFinding, other: CriticFinding): boolean {
  return severities.indexOf(one.severity) < severities.indexOf(other.severity);
}

function readFinding(value: unknown): CriticFinding | null {
  if (!isJsonObject(value)) return null;
  if (Object.keys(value).some((key) => !findingKeys.has(key))) return null;
  const severity = severities.find((known) => known === value["severity"]);
  const title = text(value["title"], criticLimits.title);
  const detail = text(value["detail"] ?? "", criticLimits.detail);
  const file = text(value["file"] ?? "", 1_000);
  const line = value["line"] ?? null;
  if (
    severity === undefined ||
    title === null ||
    title.trim() === "" ||
    detail === null ||
    file === null
  )
    return null;
  if (line !== null && !(typeof line === "number" && Number.isInteger(line) && line > 0))
    return null;
  return {
    severity,
    title: escapeInline(title.trim(), criticLimits.title),
    detail,
    file: file === "" ? null : escapeInline(file, 1_000),
    line,
  };
}

const findingKeys: ReadonlySet<string> = new Set(["severity", "title", "detail", "file", "line"]);

function text(value: unknown, longest: number): string | null {
  return typeof value === "string" && value.length <= longest ? value : null;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function no(why: string): { readonly ok: false; readonly why: string } {
  return { ok: false, why };
}
