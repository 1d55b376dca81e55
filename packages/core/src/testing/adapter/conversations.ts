import { promptText } from "../../message/prompt-text.ts";
import { has, holds, same } from "../same.ts";
import { type AdapterRow, conversation, row, run, say } from "./row.ts";

/** Conversations that begin, go on and are lost, and what is said in them. */
export const conversationRows: readonly AdapterRow[] = [
  row(
    "AD-conversation-01",
    "a conversation begins under its id and goes on by it",
    async (stage) => {
      const talk = await conversation(stage);
      const first = await talk.turn("hello");
      has("first turn", first.outcome, { kind: "done", denials: [] });
      same("exit code", first.end.code, 0);
      has("second turn", (await talk.turn("again", { mode: "resume" })).outcome, { kind: "done" });
      same("messages", talk.messages(), ["hello", "again"]);
    },
  ),
  row("AD-conversation-02", "every new conversation has an id of its own", async (stage) => {
    const ids = [(await conversation(stage)).id, (await conversation(stage)).id];
    same("different ids", new Set(ids).size, 2);
  }),
  row("AD-conversation-03", "session lost: one that never was is not found", async (stage) => {
    const talk = await conversation(stage, stage.uuid());
    const ended = await talk.turn("hello", { mode: "resume" });
    same("outcome", ended.outcome, { kind: "session-not-found" });
  }),
  row(
    "AD-conversation-04",
    "transcript missing: one whose record is gone is not found, and nothing is said in its place",
    async (stage) => {
      const talk = await conversation(stage);
      has("first turn", (await talk.turn("hello")).outcome, { kind: "done" });
      stage.program.forget(talk.id);
      same("outcome", (await talk.turn("again", { mode: "resume" })).outcome, {
        kind: "session-not-found",
      });
      same("messages", talk.messages(), []);
    },
  ),
  row(
    "AD-conversation-05",
    "cwd moved: resumed in another folder it goes on there, or says that it is not found; it never begins anew in silence",
    async (stage) => {
      const talk = await conversation(stage);
      await talk.turn("hello");
      const ended = await talk.turn(run("touch moved.txt"), {
        mode: "resume",
        workdir: stage.place.elsewhere,
      });
      if (ended.outcome.kind === "session-not-found")
        return same("messages", talk.messages(), ["hello"]);
      has("outcome", ended.outcome, { kind: "done", denials: [] });
      same("messages", talk.messages().length, 2);
      same("in the old folder", stage.place.read("moved.txt"), null);
    },
  ),
  row(
    "AD-conversation-06",
    "an id that is taken is refused",
    async (stage) => {
      const talk = await conversation(stage);
      await talk.turn("hello");
      same("outcome", (await talk.turn("again")).outcome, { kind: "session-id-taken" });
      same("messages", talk.messages(), ["hello"]);
    },
    ({ presetSessionId }) => presetSessionId,
  ),
  row("AD-prompt-01", "P16: a prompt may begin with a dash and hold anything", async (stage) => {
    const prompt = "--resume\n$(boom) `boom` \u0007 ünïcödé";
    const talk = await conversation(stage);
    has("outcome", (await talk.turn(prompt)).outcome, { kind: "done" });
    same("messages", talk.messages(), [prompt]);
  }),
  row("AD-prompt-02", "a prompt of 200 KB arrives whole", async (stage) => {
    const prompt = `${"x".repeat(200_000)} end`;
    const talk = await conversation(stage);
    has("outcome", (await talk.turn(prompt)).outcome, { kind: "done" });
    same("whole", talk.messages()[0] === prompt, true);
  }),
  row(
    "AD-prompt-03",
    "a prompt stands neither among the arguments nor in the environment, where others could read it",
    async (stage) => {
      const { workdir, turnDir } = stage.place;
      const made = await conversation(stage);
      for (const mode of ["start", "resume"] as const) {
        const plan = stage.turns.plan({
          mode,
          sessionId: made.id,
          receipt: stage.uuid(),
          prompt: promptText("the-secret-words"),
          workdir,
          turnDir,
          env: stage.env,
        });
        same(
          `${mode}: arguments and environment`,
          [...plan.argv, ...Object.values(plan.env)].filter((text) =>
            text.includes("the-secret-words"),
          ),
          [],
        );
        holds(
          `${mode}: standard input`,
          stage.turns.capabilities.promptVia !== "stdin" || plan.stdin.includes("the-secret-words"),
          plan.stdin,
        );
      }
    },
  ),
  row(
    "AD-prompt-04",
    "nothing is said before the message is written: a child that never gets it does nothing",
    async (stage) => {
      const talk = await conversation(stage);
      const begun = await talk.begin("hello");
      await stage.sleep(700);
      await begun.kill();
      same("messages", talk.messages(), []);
      has("the first turn that is written", (await talk.turn("hello")).outcome, { kind: "done" });
      same("messages", talk.messages(), ["hello"]);
    },
  ),
  row(
    "AD-environment-01",
    "the turn's own variables reach the commands of a session, and our `loop` stays first in the path",
    async (stage) => {
      const talk = await conversation(stage);
      const ended = await talk.turn(run("env > env.txt"), { env: { LOOP_SESSION: talk.id } });
      has("outcome", ended.outcome, { kind: "done", denials: [] });
      const seen = (stage.place.read("env.txt") ?? "").split("\n");
      for (const name of ["LOOP_INSTANCE", "LOOP_WORK_ITEM"])
        holds(name, seen.includes([name, stage.env[name]].join("=")), seen);
      holds("LOOP_SESSION", seen.includes(`LOOP_SESSION=${talk.id}`), seen);
      const ours = ["PATH", stage.env["PATH"]?.split(":")[0]].join("=");
      holds(
        "PATH",
        seen.some((line) => line.startsWith(ours)),
        seen,
      );
    },
  ),
  row(
    "AD-trust-01",
    "trust that was written once is there: no turn is refused, and the second time nothing is written",
    async (stage) => {
      const { workdir } = stage.place;
      const prepare = (): ReturnType<typeof stage.trust.prepare> =>
        stage.trust.prepare({
          workdir,
          workspaceRoot: null,
          scope: "directory",
          bypass: false,
          env: stage.env,
        });
      const first = await prepare();
      same(
        "looked at",
        (await stage.trust.check(stage.env))?.kind ?? null,
        stage.program.trustFile === null ? null : "good",
      );
      same("first", first.kind, stage.program.trustFile === null ? "already" : "written");
      same("second", (await prepare()).kind, "already");
      const talk = await conversation(stage);
      has("turn", (await talk.turn(say("fine"))).outcome, { kind: "done" });
      same("after a turn", (await prepare()).kind, "already");
    },
  ),
  row(
    "AD-trust-02",
    "T03: a file that does not parse is left as it is; that trust was not written is an answer, not an error",
    async (stage) => {
      const file = stage.program.trustFile;
      file?.write('{"half": ');
      const { workdir } = stage.place;
      const answer = await stage.trust.prepare({
        workdir,
        workspaceRoot: null,
        scope: "directory",
        bypass: false,
        env: stage.env,
      });
      same("answer", answer.kind, file === null ? "already" : "failed");
      same(
        "looked at",
        (await stage.trust.check(stage.env))?.kind ?? null,
        file === null ? null : "failed",
      );
      same("file", file?.read() ?? null, file === null ? null : '{"half": ');
    },
  ),
];
