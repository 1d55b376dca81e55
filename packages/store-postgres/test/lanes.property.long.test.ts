import { describe } from "vitest";
import { testLanes } from "../../store/test/lane-property.ts";
import { postgresDriver } from "./driver.ts";

describe("lanes under random appends, takings, crashes, stalls and endings", () => {
  testLanes(postgresDriver, 3);
});
