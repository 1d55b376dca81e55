/** Tags that neither load nor hide anything, as they must stand. */
export const harmlessTags: readonly string[] = [
  ..."details summary sub sup kbd b i em strong code ins del"
    .split(" ")
    .flatMap((name) => [`<${name}>`, `</${name}>`]),
  "<br>",
  "<br/>",
  "<br />",
  "<details open>",
];

/** Entities for characters that are not live. */
export const harmlessEntities: readonly string[] = ["&nbsp;", "&lt;", "&gt;", "&amp;", "&quot;"];
