import { inboxContract } from "@loopwork/core/testing";
import { describe, test } from "vitest";
import { fileInboxSubject, temporaryFolder } from "./opening.ts";

describe.each([
  ["one segment", {}],
  ["many small segments", { segmentBytes: 4096 }],
  ["one record a segment", { segmentBytes: 1 }],
])("the file inbox keeps the inbox contract with %s", (_, options) => {
  test.each(inboxContract.map((row) => [row.id, row.title, row] as const))(
    "%s %s",
    async (_id, _title, row) => {
      await row.run(await fileInboxSubject(temporaryFolder(), options));
    },
  );
});
