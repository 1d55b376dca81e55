import { testContract } from "../../store/test/contract/test-contract.ts";
import { postgresDriver } from "./driver.ts";

testContract(postgresDriver);
