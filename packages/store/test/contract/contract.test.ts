import { drivers } from "../subjects.ts";
import { testContract } from "./test-contract.ts";

for (const driver of drivers) testContract(driver);
