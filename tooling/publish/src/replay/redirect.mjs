// Loaded before every program of Node in a replay: what is asked of the public code host is asked
// of the practice host instead, and the answer names the public one, as a real answer would.
const { REPLAY_HOST: host = "", REPLAY_API: api = "" } = process.env;
const ask = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const url = typeof input === "string" || input instanceof URL ? String(input) : input.url;
  if (!url.startsWith("https://api.github.com/")) return ask(input, init);
  const there =
    url === "https://api.github.com/graphql"
      ? api.replace("/v3", "/graphql")
      : url.replace("https://api.github.com", api);
  const answer = await ask(there, init ?? input);
  const named = (text) =>
    text.replaceAll(api, "https://api.github.com").replaceAll(host, "https://github.com");
  const headers = new Headers(
    [...answer.headers]
      .filter(([name]) => name !== "content-length")
      .map(([name, value]) => [name, named(value)]),
  );
  const body = [101, 204, 205, 304].includes(answer.status) ? null : named(await answer.text());
  const renamed = new Response(body, {
    status: answer.status,
    statusText: answer.statusText,
    headers,
  });
  Object.defineProperty(renamed, "url", { value: url });
  return renamed;
};
