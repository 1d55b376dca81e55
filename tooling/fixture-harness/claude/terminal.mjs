import { createKeys } from "./keys.mjs";
import { runHooks } from "./hooks.mjs";
import { createPractice } from "./practice.mjs";
import { drawScreen } from "./screen.mjs";
import { Interrupted, runTurn } from "./turn.mjs";

/**
 * A paste of more lines or characters than this is shown as a mark, and told to the model as text
 * from somewhere else.
 */
const longestInline = { lines: 3, characters: 800 };

/**
 * The interactive program, as far as a driver of its terminal can tell: a question about trust
 * unless the folder is trusted, an input line that takes keys and bracketed pastes, dialogs for
 * permissions, Escape.
 */
export async function runTerminal({ options, trusted, start }) {
  const view = {
    history: [],
    input: [],
    dialog: null,
    proposal: "",
    columns: () => process.stdout.columns ?? 80,
    pastes: 0,
  };
  const draw = () => process.stdout.write(drawScreen(view));
  const keys = createKeys(process.stdin);
  process.stdout.write("\u001b[?2004h");
  process.stdout.on("resize", draw);
  if (!trusted) {
    const refused = await choose(
      view,
      draw,
      keys,
      ["Accessing workspace:", process.cwd(), "Is this a project you created or one you trust?"],
      ["No, exit", "Yes, I trust this folder"],
      1,
    );
    if (refused !== null) return refused;
  }
  const run = start(options);
  if (run.refusal) return end(1, run.refusal.startsWith("No conversation") ? "" : run.refusal);
  return converse({ run, view, draw, keys, options });
}

async function converse({ run, view, draw, keys, options }) {
  const session = {
    busy: false,
    interrupt: () => {},
    prompts: options["--resume"] ? 1 : 0,
    lostKeys: Number(process.env.FIXTURE_LOSE_ENTER ?? 0),
  };
  Object.assign(run, {
    print: () => {},
    printResult: () => {},
    promptSource: "typed",
    whenInterrupted: new Promise(() => {}),
  });
  run.askPermission = (state, call) => askPermission({ run, view, draw, keys, state, call });
  const leave = (code) => {
    run.transcript.flush();
    run.registry.remove();
    return end(code, "");
  };
  process.on("SIGTERM", () => leave(143));
  process.on("SIGHUP", () => leave(129));
  await runHooks(run.hooks, "SessionStart", {
    input: {
      session_id: run.sessionId,
      transcript_path: run.transcript.file,
      cwd: run.cwd,
      source: options["--resume"] ? "resume" : "startup",
    },
    env: run.hookEnv,
    cwd: run.cwd,
  });
  draw();
  for (;;) {
    const key = await keys.next();
    if (key.kind === "escape") session.interrupt();
    else if (key.kind === "erase") view.input = [];
    else if (key.kind === "text" || key.kind === "paste") addInput(view, key);
    else if (key.kind === "enter" && session.lostKeys > 0) session.lostKeys -= 1;
    else if (key.kind === "enter" && !session.busy && view.input.length > 0) {
      const message = textOf(view.input);
      const written = view.input;
      view.input = [];
      if (message.trim() === "/exit") {
        await runHooks(run.hooks, "SessionEnd", {
          input: { session_id: run.sessionId, reason: "prompt_input_exit" },
          env: run.hookEnv,
          cwd: run.cwd,
        });
        return leave(0);
      }
      void submit({ run, view, draw, session, message, written });
    }
    draw();
  }
}

/** One turn; keys go on being read meanwhile. */
async function submit({ run, view, draw, session, message, written }) {
  session.busy = true;
  run.whenInterrupted = new Promise(
    (_resolve, reject) => (session.interrupt = () => reject(new Interrupted())),
  );
  run.whenInterrupted.catch(() => {});
  if (process.env.LOOP_PRACTICE === "1")
    run.practice = createPractice({ resume: session.prompts > 0, env: process.env });
  session.prompts += 1;
  view.history.push(`❯ ${message}`);
  view.proposal = "";
  run.registry.setStatus("busy");
  draw();
  const started = Date.now();
  const code = await runTurn(run, { uuid: null, prompt: message }).catch((error) =>
    interrupted({ run, view, written }, error),
  );
  if (code === 0)
    run.transcript.append({
      type: "system",
      subtype: "turn_duration",
      durationMs: Date.now() - started,
      isMeta: false,
    });
  if (code === 1) view.proposal = "Resend your message to try again";
  run.transcript.flush();
  view.history.push(
    code === 0
      ? "● done"
      : code === 1
        ? "● API Error"
        : "  ⎿  Interrupted · What should Claude do instead?",
  );
  view.dialog = null;
  session.busy = false;
  session.interrupt = () => {};
  run.registry.setStatus("idle");
  draw();
}

/**
 * Somebody pressed Escape: no Stop hook runs. Before a reply the message goes back into the input
 * line, later it stands in the transcript.
 */
function interrupted({ run, view, written }, error) {
  if (!(error instanceof Interrupted)) throw error;
  if (
    !run.transcript
      .rows()
      .some(
        (row, at, rows) =>
          row.type === "assistant" &&
          at > rows.findLastIndex((each) => each.promptSource === "typed"),
      )
  ) {
    view.input = written;
    return 2;
  }
  run.transcript.append({
    type: "user",
    message: { role: "user", content: [{ type: "text", text: "[Request interrupted by user]" }] },
  });
  return 2;
}

/** A hook may answer; else the dialog waits for a key, with the cursor on the first answer. */
async function askPermission({ run, view, draw, keys, state, call }) {
  const input = {
    session_id: run.sessionId,
    transcript_path: run.transcript.file,
    cwd: run.cwd,
    prompt_id: state.promptId,
    permission_mode: run.mode,
    tool_name: call.tool,
    tool_input: call.input,
  };
  const { decision } = await runHooks(run.hooks, "PermissionRequest", {
    input,
    tool: call.tool,
    env: run.hookEnv,
    cwd: run.cwd,
  });
  if (decision?.behavior === "deny")
    return { allowed: false, text: decision.message ?? "Denied by hook" };
  if (decision?.behavior === "allow") return { allowed: true };
  run.registry.setStatus("waiting");
  view.dialog = {
    words: [`${call.tool} command`, String(call.input.command ?? ""), "Do you want to proceed?"],
    answers: ["Yes", "No"],
    at: 0,
  };
  draw();
  const answer = await Promise.race([keys.dialog(view.dialog, draw), run.whenInterrupted]).finally(
    () => {
      keys.endDialog();
      view.dialog = null;
    },
  );
  run.registry.setStatus("busy");
  return answer === 0
    ? { allowed: true }
    : { allowed: false, text: "The user doesn't want to proceed with this tool use." };
}

/** A dialog before the conversation: null for the answer that goes on, else the exit code. */
async function choose(view, draw, keys, words, answers, goesOn) {
  view.dialog = { words, answers, at: 0 };
  draw();
  const answer = await keys.dialog(view.dialog, draw);
  keys.endDialog();
  view.dialog = null;
  return answer === goesOn ? null : end(1, "");
}

function addInput(view, key) {
  const long =
    key.kind === "paste" &&
    (key.text.split("\n").length > longestInline.lines ||
      key.text.length > longestInline.characters);
  if (!long) view.input.push({ text: key.text });
  else
    view.input.push({
      text: key.text,
      shown: `[Pasted text #${(view.pastes += 1)}${key.text.includes("\n") ? ` +${key.text.split("\n").length - 1} lines` : ""}]`,
    });
}

function textOf(input) {
  return input
    .map(({ text, shown }) =>
      shown ? `\n\n<pasted_content id="f1x7">\n${text}\n</pasted_content id="f1x7">\n` : text,
    )
    .join("");
}

function end(code, words) {
  process.stdout.write(`\u001b[?2004l\u001b[2J\u001b[H${words === "" ? "" : `${words}\n`}`);
  process.exit(code);
}
