import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { instance } from "./api/shapes.ts";
import { parseRoute, type Route } from "./model/route.ts";
import { BoardPage } from "./pages/board.tsx";
import { DeliveriesPage, DeliveryPage } from "./pages/deliveries.tsx";
import { EventsPage } from "./pages/events.tsx";
import { ItemPage } from "./pages/item.tsx";
import { ThemeSwitch } from "./parts/theme.tsx";
import { useAnswer, useFreshness } from "./service.ts";

export function App(): VNode {
  const route = useRoute();
  const { answer } = useAnswer("instance", (ask) => ask("/instance", instance));
  const first = useRef(route);
  useEffect(() => {
    document.title = `${titleOf(route)} · loop`;
    if (route === first.current) return; // Where it begins, the browser knows better.
    document.querySelector<HTMLElement>("main")?.focus();
    scrollTo(0, 0);
  }, [route]);
  return (
    <>
      <a
        class="skip"
        href={location.hash}
        onClick={(event) => (
          event.preventDefault(),
          document.querySelector<HTMLElement>("main")?.focus()
        )}
      >
        To the content
      </a>
      <header class="top">
        <a class="brand" href="#/">
          loop
        </a>
        <nav aria-label="Pages">
          <a href="#/" aria-current={route.page === "board" ? "page" : undefined}>
            Board
          </a>
          <a
            href="#/deliveries"
            aria-current={
              route.page === "deliveries" || route.page === "delivery" ? "page" : undefined
            }
          >
            Deliveries
          </a>
          <a href="#/events" aria-current={route.page === "events" ? "page" : undefined}>
            Events
          </a>
        </nav>
        <span class="end">
          {answer !== null && <span class="instance">{answer.name}</span>}
          <Freshness />
          <ThemeSwitch />
        </span>
      </header>
      <main tabIndex={-1}>
        <Shown route={route} />
      </main>
    </>
  );
}

function Shown({ route }: { readonly route: Route }): VNode {
  switch (route.page) {
    case "board":
      return <BoardPage />;
    case "item":
      return <ItemPage name={route.ref} />;
    case "deliveries":
      return <DeliveriesPage />;
    case "events":
      return <EventsPage />;
    case "delivery":
      return <DeliveryPage id={route.id} />;
    case "unknown":
      return (
        <>
          <h1>There is no such page</h1>
          <p>
            <a href="#/">To the board</a>
          </p>
        </>
      );
  }
}

function titleOf(route: Route): string {
  switch (route.page) {
    case "item":
      return route.ref.replace(/^host:/, "");
    case "delivery":
      return "Why";
    case "deliveries":
      return "Deliveries";
    case "events":
      return "Events";
    default:
      return "Board";
  }
}

function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = (): void => setHash(location.hash);
    changed(); // It may have changed since the page was drawn.
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return useMemo(() => parseRoute(hash), [hash]);
}

const freshnesses = { live: "live", asking: "every 5 s", away: "no answer" } as const;

function Freshness(): VNode {
  const freshness = useFreshness();
  return (
    <span class={`freshness ${freshness}`} role="status">
      {freshnesses[freshness]}
    </span>
  );
}
