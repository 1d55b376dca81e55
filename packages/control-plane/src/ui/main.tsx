import { render } from "preact";
import { createAsk } from "./api/ask.ts";
import { createLive, type Live } from "./api/live.ts";
import { App } from "./app.tsx";
import { tokenIn } from "./model/route.ts";
import { TokenNeeded } from "./pages/token-needed.tsx";
import { ServiceContext } from "./service.ts";

const key = "loop-token";
const root = document.getElementById("page") ?? document.body;
let live: Live | null = null;

takeToken();
addEventListener("hashchange", takeToken);
open();

/** Out of the address bar, which others see and the history keeps, into this tab's own memory. */
function takeToken(): void {
  const token = tokenIn(location.hash);
  if (token === null) return;
  sessionStorage.setItem(key, token);
  history.replaceState(null, "", `${location.pathname}${location.search}#/`);
  if (live !== null) open();
}

/**
 * Without a token it is tried as well: an application around the service may let people in by its
 * own means.
 */
function open(): void {
  const token = sessionStorage.getItem(key);
  live?.close();
  const ask = createAsk(token);
  const opened = createLive(ask);
  live = opened;
  const refused = (): void => {
    if (live !== opened) return; // Another token was given since: this refusal is none of it.
    opened.close();
    sessionStorage.removeItem(key);
    render(<TokenNeeded wrong={token !== null} />, root);
  };
  render(
    <ServiceContext.Provider key={token ?? ""} value={{ ask, live: opened, refused }}>
      <App />
    </ServiceContext.Provider>,
    root,
  );
}
