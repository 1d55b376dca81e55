import { integer, type Row, text } from "../rows.ts";
import { type Finding, found } from "./finding.ts";
import type { Reading } from "./side.ts";
import { references, tables } from "./tables.ts";

/** What rows say of each other, in statements that every driver understands. */
export async function checkSense(reading: Reading): Promise<readonly Finding[]> {
  const parts = [
    await checkReferences(reading),
    await checkLog(reading),
    await checkCursors(reading),
    await checkLanes(reading),
    await checkNumbers(reading),
  ];
  return parts.flat();
}

async function checkReferences(reading: Reading): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { table, columns, to, key } of references) {
    const same = columns
      .map((column, n) => `parent.${key[n] ?? ""} = child.${column}`)
      .join(" and ");
    const [row = {}] = await reading.all(
      `select count(*) as number from ${table} as child where not exists (select 1 from ${to} as parent where ${same})`,
    );
    const number = integer(row, "number");
    if (number > 0)
      findings.push(
        found("reference-broken", `${number} rows of ${table} name a ${to} that is not there`),
      );
  }
  return findings;
}

/**
 * Rows of deliveries are kept for good. Where no sequence numbers them there is no gap between
 * them.
 */
async function checkLog(reading: Reading): Promise<readonly Finding[]> {
  const [row = {}] = await reading.all(
    "select count(*) as number, coalesce(max(seq), 0) as last from delivery",
  );
  const missing = integer(row, "last") - integer(row, "number");
  if (missing <= (await reading.knownGaps())) return [];
  const gaps = await reading.all(
    "select seq as number from delivery where seq > 1 and not exists (select 1 from delivery as before where before.seq = delivery.seq - 1) order by seq limit 10",
  );
  return [
    found(
      "log-gap",
      `${missing} deliveries are missing from the log, before number ${gaps.map((gap) => integer(gap, "number")).join(", ")}`,
      gaps.map((gap) => integer(gap, "number")),
    ),
  ];
}

async function checkCursors(reading: Reading): Promise<readonly Finding[]> {
  const beyond = await reading.all(
    "select instance from cursor where seq > (select coalesce(max(seq), 0) from delivery) order by instance",
  );
  const undecided = await reading.all(
    `select cursor.instance, count(*) as number, min(delivery.seq) as first from cursor join delivery on delivery.seq <= cursor.seq
     where delivery.ignored is null and not exists (select 1 from decision where decision.instance = cursor.instance and decision.seq = delivery.seq)
     group by cursor.instance order by cursor.instance`,
  );
  return [
    ...beyond.map((row) =>
      found(
        "cursor-beyond",
        `${text(row, "instance")} has read further than the log goes: it would pass over what comes`,
      ),
    ),
    ...undecided.map((row) =>
      found(
        "undecided-behind",
        `${text(row, "instance")} has passed ${integer(row, "number")} deliveries without a decision, from number ${integer(row, "first")} on`,
        [integer(row, "first")],
      ),
    ),
  ];
}

async function checkLanes(reading: Reading): Promise<readonly Finding[]> {
  const halfHeld = await reading.all(
    "select endpoint from lane where (holder is null and lease_until is not null) or (holder is not null and (lease_until is null or lease_ms is null)) or fence < 0 order by endpoint",
  );
  const twice = await reading.all(
    "select lane as endpoint from turn where state = 'injecting' group by lane having count(*) > 1 order by lane",
  );
  const name = (row: Row): string => text(row, "endpoint");
  return [
    ...halfHeld.map((row) =>
      found("lane-inconsistent", `the lease of the lane ${name(row)} is neither held nor free`),
    ),
    ...twice.map((row) =>
      found("lane-inconsistent", `the lane ${name(row)} has two turns under way`),
    ),
  ];
}

/** The next row would get a number that one has already, or had. */
async function checkNumbers(reading: Reading): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const table of tables) {
    if (table.numbered === null) continue;
    const [row = {}] = await reading.all(
      `select coalesce(max(${table.key[0] ?? ""}), 0) as highest from ${table.name}`,
    );
    const [highest, last] = [integer(row, "highest"), await reading.sequenceOf(table)];
    if (last !== null && last < highest)
      findings.push(
        found(
          "number-behind",
          `the next number of ${table.name} would be ${last + 1}, and ${highest} is taken`,
        ),
      );
  }
  return findings;
}
