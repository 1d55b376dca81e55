import { DatabaseSync } from "node:sqlite";
import type { RefText } from "@loopwork/core/ports";
import { expect, onTestFinished, test } from "vitest";
import { migrate, readMigrations } from "../../src/sqlite/migrate.ts";
import { listStatement } from "../../src/sqlite/log.ts";

const planIn = (db: DatabaseSync, sql: string): string =>
  db
    .prepare(`explain query plan ${sql}`)
    .all(...Array.from({ length: sql.split("?").length - 1 }, () => 1))
    .map(({ detail }) => String(detail))
    .join("; ");

test.each([{ newestFirst: true }, { newestFirst: false }, { newestFirst: true, beforeSeq: 9 }])(
  "the decisions of one item are found by its index, however long the log is (%j)",
  (query) => {
    const db = new DatabaseSync(":memory:");
    onTestFinished(() => db.close());
    migrate(db, readMigrations(), 0);
    const plan = planIn(db, listStatement({ ...query, workItem: "host:o/r#1" as RefText }));
    expect(plan).toContain("decision_work_item");
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
    expect(planIn(db, "select id from delivery where event = ?"), "so that it can fail").toContain(
      "SCAN",
    );
  },
);

test.each([{ newestFirst: true }, { newestFirst: true, beforeSeq: 9 }])(
  "what was refused is found by its index, however much was decided (%j)",
  (query) => {
    const db = new DatabaseSync(":memory:");
    onTestFinished(() => db.close());
    migrate(db, readMigrations(), 0);
    const plan = planIn(db, listStatement({ ...query, refused: ["scope-locked"] }));
    expect(plan).toContain("decision_refused");
    expect(plan).not.toMatch(/SCAN (decision|delivery)|TEMP B-TREE/);
  },
);
