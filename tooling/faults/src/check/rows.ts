/** One row as a driver gives it. */
export type Row = Readonly<Record<string, unknown>>;

/** Asks the store with plain SQL that both engines understand. */
export type Ask = (sql: string) => Promise<readonly Row[]>;

/** What the tables say, read without a line of the code that wrote them. */
export type StoreRows = {
  readonly deliveries: readonly {
    readonly seq: number;
    readonly id: string;
    readonly ignored: string | null;
  }[];
  readonly decisions: readonly {
    readonly instance: string;
    readonly seq: number;
    readonly workItem: string | null;
    readonly verdict: string;
    readonly reason: string;
    readonly actor: string | null;
  }[];
  readonly items: readonly {
    readonly ref: string;
    readonly instance: string | null;
    readonly status: string | null;
    readonly requestedBy: string | null;
  }[];
  readonly lanes: readonly {
    readonly endpoint: string;
    readonly workItem: string;
    readonly instance: string;
    readonly hold: string | null;
    readonly holder: string | null;
  }[];
  readonly turns: readonly {
    readonly id: number;
    readonly lane: string;
    readonly state: string;
    readonly note: string | null;
    readonly deliveries: readonly string[];
  }[];
  readonly effects: readonly {
    readonly id: number;
    readonly instance: string;
    readonly workItem: string;
    readonly delivery: string;
    readonly kind: string;
    readonly state: string;
    readonly text: string | null;
    readonly note: string | null;
  }[];
  readonly events: readonly {
    readonly id: number;
    readonly kind: string;
    readonly instance: string;
    readonly workItem: string | null;
    readonly delivery: string | null;
    readonly reason: string | null;
    readonly fields: string;
  }[];
};

/** Reads everything, in one look at each table. */
export async function readRows(ask: Ask): Promise<StoreRows> {
  const [deliveries, decisions, items, lanes, turns, told, effects, events] = [
    await ask("select seq, id, ignored from delivery order by seq"),
    await ask(
      "select instance, seq, work_item, verdict, reason, event from decision order by instance, seq",
    ),
    await ask("select ref, record from work_item order by ref"),
    await ask("select endpoint, work_item, instance, hold, holder from lane order by endpoint"),
    await ask("select id, lane, state, note from turn order by id"),
    await ask("select turn, delivery_id from turn_delivery order by turn, seq"),
    await ask(
      "select id, instance, work_item, delivery_id, effect, state, note from effect order by id",
    ),
    await ask(
      "select id, kind, instance, work_item, delivery, reason, fields from event order by id",
    ),
  ];
  return {
    deliveries: deliveries.map((row) => ({
      seq: Number(row["seq"]),
      id: String(row["id"]),
      ignored: text(row["ignored"]),
    })),
    decisions: decisions.map((row) => ({
      instance: String(row["instance"]),
      seq: Number(row["seq"]),
      workItem: text(row["work_item"]),
      verdict: String(row["verdict"]),
      reason: String(row["reason"]),
      actor: text(at(document(row["event"]), "actor", "login")),
    })),
    items: items.map((row) => {
      const record = document(row["record"]);
      return {
        ref: String(row["ref"]),
        instance: text(at(record, "control", "instance")),
        status: text(at(record, "control", "status")),
        requestedBy: text(at(record, "control", "requestedBy")),
      };
    }),
    lanes: lanes.map((row) => ({
      endpoint: String(row["endpoint"]),
      workItem: String(row["work_item"]),
      instance: String(row["instance"]),
      hold: text(row["hold"]),
      holder: text(row["holder"]),
    })),
    turns: turns.map((row) => ({
      id: Number(row["id"]),
      lane: String(row["lane"]),
      state: String(row["state"]),
      note: text(row["note"]),
      deliveries: told
        .filter(({ turn }) => Number(turn) === Number(row["id"]))
        .map((each) => String(each["delivery_id"])),
    })),
    effects: effects.map((row) => {
      const effect = document(row["effect"]);
      return {
        id: Number(row["id"]),
        instance: String(row["instance"]),
        workItem: String(row["work_item"]),
        delivery: String(row["delivery_id"]),
        kind: String(at(effect, "kind")),
        state: String(row["state"]),
        text: text(at(effect, "text")),
        note: text(row["note"]),
      };
    }),
    events: events.map((row) => ({
      id: Number(row["id"]),
      kind: String(row["kind"]),
      instance: String(row["instance"]),
      workItem: text(row["work_item"]),
      delivery: text(row["delivery"]),
      reason: text(row["reason"]),
      fields: String(row["fields"]),
    })),
  };
}

function text(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** A column with JSON, whether the driver has parsed it or not. */
function document(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : value;
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, name) =>
      typeof found === "object" && found !== null
        ? Object.entries(found).find(([key]) => key === name)?.[1]
        : null,
    value,
  );
}
