import { afterEach, describe, expect, test } from "vitest";
import { createClient } from "../src/client.ts";
import { createCodeHost } from "../src/index.ts";
import { editorOf } from "../src/poller/editor.ts";
import { type Asked, type Canned, serve } from "./server.ts";

const thread = { host: null, owner: "maria", repo: "garden", number: 7 };
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of open.splice(0)) await stop();
});

async function optionsFor(answer: (asked: Asked) => Canned) {
  const server = await serve(answer);
  open.push(server.stop);
  return {
    options: {
      host: "example.org",
      apiBaseUrl: `${server.url}/api/v3/`,
      token: "tok-5ecret-12345",
      now: () => 1_000_000,
      paced: false,
    },
    asked: server.asked,
  };
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("the account that has a login", () => {
  const accountOf = async (login: string, user: unknown): Promise<unknown> =>
    plain(
      await createCodeHost(
        (await optionsFor(() => (user === null ? { status: 404 } : { body: user }))).options,
      ).account(login),
    );

  test("is the one that the host shows under it", async () => {
    expect(await accountOf("Ada", { login: "ada", id: 7, type: "User" })).toEqual({
      login: "ada",
      id: "7",
      bot: false,
    });
    expect(await accountOf("helper[bot]", { login: "helper[bot]", id: 8, type: "Bot" })).toEqual({
      login: "helper[bot]",
      id: "8",
      bot: true,
    });
  });

  test("is nobody where there is none, or another one answers", async () => {
    expect(await accountOf("ada", null)).toBeNull();
    expect(await accountOf("ada", { login: "eve", id: 9, type: "User" })).toBeNull();
    expect(await accountOf("helper", { login: "helper", id: 8, type: "Bot" })).toBeNull();
    expect(
      await accountOf("helper[bot]", { login: "helper[bot]", id: 8, type: "User" }),
    ).toBeNull();
    expect(await accountOf("kim", { login: "\u212Aim", id: 8, type: "User" })).toBeNull();
  });

  test("is asked for by a login that can leave its place in the address in no way", async () => {
    const { options, asked } = await optionsFor(() => ({ status: 404 }));
    await createCodeHost(options).account("../repos/x?y#z");
    expect(asked[0]?.path).toBe("/api/v3/users/..%2Frepos%2Fx%3Fy%23z");
  });
});

test.each<readonly [editor: unknown, account: unknown]>([
  [
    { __typename: "User", login: "ada", databaseId: 7 },
    { login: "ada", id: "7", bot: false },
  ],
  [
    { __typename: "Bot", login: "helper", databaseId: 8 },
    { login: "helper", id: "8", bot: true },
  ],
  [
    { __typename: "Bot", login: "helper" },
    { login: "helper", id: null, bot: true },
  ],
  [
    { __typename: "Organization", login: "acme" },
    { login: "acme", id: null, bot: false },
  ],
  [
    { login: "helper[bot]", databaseId: 8 },
    { login: "helper[bot]", id: "8", bot: false },
  ],
])("the query language's editor %j is %j", async (editor, account) => {
  const { options } = await optionsFor(() => ({
    body: { data: { node: { lastEditedAt: "2024-05-06T12:00:00Z", editor } } },
  }));
  expect(plain(await editorOf(createClient(options), "IC_1"))).toEqual({
    account,
    at: "2024-05-06T12:00:00Z",
  });
});

test.each([
  null,
  { __typename: "Mannequin", login: "ada", databaseId: 7 },
  { __typename: "User", login: "ada\u200B" },
  { __typename: "User" },
])("the query language's editor %j is nobody", async (editor) => {
  const { options } = await optionsFor(() => ({
    body: { data: { node: { lastEditedAt: "2024-05-06T12:00:00Z", editor } } },
  }));
  expect(await editorOf(createClient(options), "IC_1")).toBe("unknown");
});

test("whoever edited a text is read as every account of the query language is", async () => {
  const by = async (editor: unknown): Promise<unknown> => {
    const item = { lastEditedAt: "2024-05-06T12:00:00Z", editor };
    const answer = { data: { repository: { issueOrPullRequest: item } } };
    const { options } = await optionsFor(() => ({ body: answer }));
    const edits = await createCodeHost(options).textEdits(thread, null);
    return edits === "unknown" ? edits : plain(edits[0]?.by ?? null);
  };
  expect(await by({ __typename: "User", login: "ada", databaseId: 7 })).toEqual({
    login: "ada",
    id: "7",
    bot: false,
  });
  expect(await by({ __typename: "Mannequin", login: "ada", databaseId: 7 })).toBeNull();
  expect(await by({ __typename: "User", login: "\u212Aim", databaseId: 8 })).toBeNull();
  expect(await by({ __typename: "User", login: "ada", databaseId: 0 })).toMatchObject({ id: null });
});

test("our own comment is looked for by the token's account, not by its login", async () => {
  const comments = [
    { id: 1, body: "marked", user: { login: "loop-agent", id: 5, type: "User" } },
    { id: 2, body: "marked", user: { login: "loop-agent", id: 55, type: "User" } },
    { id: 3, body: "marked", user: null },
  ];
  const { options } = await optionsFor(({ path }) => ({
    body: path.endsWith("/user") ? { login: "Loop-Agent", id: 5, type: "User" } : comments,
  }));
  expect(await createCodeHost(options).findComment(thread, "marked", () => false)).toBe("1");
});
