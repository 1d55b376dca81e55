import { testItems } from "./item-property.ts";
import { drivers } from "./subjects.ts";

for (const driver of drivers) testItems(driver);
