import { testItems } from "../../store/test/item-property.ts";
import { postgresDriver } from "./driver.ts";

testItems(postgresDriver);
