import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Runs one tool; `{text, failed, response}`. */
export async function runTool({ tool, input, cwd, env }) {
  if (tool === "Bash") return runShell(String(input.command), { cwd, env });
  const file = path.resolve(cwd, String(input.file_path ?? "."));
  try {
    if (tool === "Read") return { text: readFileSync(file, "utf8"), failed: false, response: {} };
    if (tool === "Write") {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, String(input.content ?? ""));
    } else if (tool === "Edit") {
      const text = readFileSync(file, "utf8");
      writeFileSync(
        file,
        text.replace(String(input.old_string), () => String(input.new_string)),
      );
    } else appendFileSync(file, "");
    return { text: `The file ${file} has been updated.`, failed: false, response: {} };
  } catch (error) {
    return { text: String(error.message), failed: true, response: {} };
  }
}

function runShell(command, { cwd, env }) {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", command], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const out = { stdout: "", stderr: "" };
    child.stdout.on("data", (text) => (out.stdout += text));
    child.stderr.on("data", (text) => (out.stderr += text));
    child.on("close", (code, signal) => {
      out.stdout = out.stdout.trimEnd();
      const said = [out.stdout, out.stderr].filter(Boolean).join("\n").trim();
      const failed = code !== 0;
      const text = failed
        ? `Exit code ${code ?? signal}\n${said}`
        : said || "(Bash completed with no output)";
      resolve({ text, failed, response: { ...out, interrupted: false, isImage: false } });
    });
  });
}
