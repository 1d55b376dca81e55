/** What the part of the address after `#` names. The server knows one page alone. */
export type Route =
  | { readonly page: "board" }
  | { readonly page: "item"; readonly ref: string }
  | { readonly page: "deliveries" }
  | { readonly page: "events" }
  | { readonly page: "delivery"; readonly id: string }
  | { readonly page: "unknown" };

export function parseRoute(hash: string): Route {
  const [page = "", ...rest] = hash.replace(/^#?\/?/, "").split("/");
  const name = rest.length === 1 ? decoded(rest[0] ?? "") : null;
  if (page === "" && rest.length === 0) return { page: "board" };
  if (page === "deliveries" && rest.length === 0) return { page: "deliveries" };
  if (page === "events" && rest.length === 0) return { page: "events" };
  if (page === "deliveries" && name !== null) return { page: "delivery", id: name };
  if (page === "items" && name !== null) return { page: "item", ref: name };
  return { page: "unknown" };
}

export function formatRoute(route: Exclude<Route, { readonly page: "unknown" }>): string {
  switch (route.page) {
    case "board":
      return "#/";
    case "item":
      return `#/items/${encodeURIComponent(route.ref)}`;
    case "deliveries":
      return "#/deliveries";
    case "events":
      return "#/events";
    case "delivery":
      return `#/deliveries/${encodeURIComponent(route.id)}`;
  }
}

function decoded(part: string): string | null {
  try {
    const text = decodeURIComponent(part);
    return text === "" ? null : text;
  } catch {
    return null;
  }
}

/**
 * The token that `loop dashboard` puts behind `#`, which then leaves the address bar; null when
 * there is none.
 */
export function tokenIn(hash: string): string | null {
  const token = new URLSearchParams(hash.replace(/^#/, "")).get("token");
  return token === null || token === "" ? null : token;
}
