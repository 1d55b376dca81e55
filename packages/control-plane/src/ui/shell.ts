/**
 * The page at `/`: a shell that holds no data (decisions.md 8). It takes the token out of the address's fragment, which no browser
 * sends to a server, forgets it with the tab, and shows what the API answers as text.
 */
export const shellPage: string = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>loop</title>
<link rel="stylesheet" href="assets/shell.css">
<main>
<h1>loop</h1>
<p id="state" role="status">This page needs the token: open it by <code>loop dashboard</code>.</p>
<h2>Services</h2><ul id="services"></ul>
<h2>Work items</h2><ul id="items"></ul>
<h2>Events</h2><ol id="events"></ol>
</main>
<script type="module" src="assets/shell.js"></script>
</html>
`;

export const shellStyle: string = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
li { overflow-wrap: anywhere; }
`;

/** Everything that is shown becomes text of an element, never markup (A06). */
export const shellScript: string = `const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) sessionStorage.setItem("token", given);
history.replaceState(null, "", location.pathname);
const token = sessionStorage.getItem("token");
const say = (text) => { document.getElementById("state").textContent = text; };
const ask = async (path) => {
  const response = await fetch("api/v1" + path, { headers: { authorization: "Bearer " + token } });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail + ": " + answer.hint);
  return answer;
};
const fill = (id, texts) => document.getElementById(id).replaceChildren(...texts.map((text) => {
  const line = document.createElement("li");
  line.textContent = text;
  return line;
}));
const show = async () => {
  const [health, items, events] = await Promise.all([ask("/health"), ask("/work-items?limit=100"), ask("/events?limit=30")]);
  say("Version " + health.version + ", " + health.status + ".");
  fill("services", health.services.filter((each) => each.enabled || each.running).map((each) => each.name + ": " + each.detail));
  fill("items", items.items.map((each) => each.ref + " " + each.title + ", " + each.status + each.held.map((lane) => "; waits: " + lane.reason).join("")));
  fill("events", events.items.map((each) => new Date(each.time).toISOString() + " " + each.kind + " " + (each.workItem ?? "") + " " + (each.sentence ?? each.reason ?? "")));
};
if (token) {
  const again = () => show().catch((error) => say(error.message)).finally(() => setTimeout(again, 5000));
  again();
}
`;

/** What such a page may do: load its own script and style, ask its own service, and nothing else. */
export const shellPolicy: string = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
