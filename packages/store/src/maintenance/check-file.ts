import { integer, text } from "../rows.ts";
import { type Finding, found } from "./finding.ts";
import type { Reading } from "./side.ts";

/** What SQLite says of its own file, and whether segments are counted right. */
export async function checkFile(reading: Reading): Promise<readonly Finding[]> {
  const words = (await reading.all("pragma integrity_check(20)")).map((row) =>
    text(row, "integrity_check"),
  );
  if (words.some((word) => word !== "ok"))
    return [found("file-damaged", `SQLite finds its file damaged: ${words.join("; ")}`)];
  const segments = await reading.all(
    `select body_segment.number, kept, count(delivery_body.seq) as named from body_segment left join delivery_body on delivery_body.segment = body_segment.number
     group by body_segment.number having kept <> named order by 1`,
  );
  return segments.map((row) =>
    found(
      "body-count",
      `segment ${integer(row, "number")} counts ${integer(row, "kept")} bodies and ${integer(row, "named")} are named`,
    ),
  );
}
