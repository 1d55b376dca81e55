import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { folderOf, type Git, type Where } from "../src/git.ts";
import type { Scratch } from "./scratch.ts";

/**
 * Git with every guard off: it runs where the files or the clone are and takes whatever repository
 * it discovers there, with the user's environment. It asks for the remote by its name and finds no
 * key of a configuration odd. `secrets` are further variables.
 */
export function careless(s: Scratch, secrets: Readonly<Record<string, string>> = {}): Git {
  return {
    changeRefs: async (clone, changes) => {
      const lines = [...changes].map(([name, { to }]) =>
        to === null ? `delete ${name}\n` : `update ${name} ${to}\n`,
      );
      execFileSync("git", ["update-ref", "--stdin"], {
        cwd: clone,
        input: lines.join(""),
        env: { ...s.env, ...secrets },
        stdio: ["pipe", "ignore", "ignore"],
      });
    },
    run: async (where, args, more = {}) => {
      if (args[0] === "config" && args.includes("--list")) return "";
      const plain = args[0] === "fetch" ? ["fetch", "-q", "origin"] : args;
      const cwd = discovered(where);
      const options = { cwd, encoding: "utf8", env: { ...s.env, ...secrets } } as const;
      const printed = execFileSync("git", plain, {
        ...options,
        input: more.input ?? "",
        stdio: ["pipe", "pipe", "ignore"],
      });
      // What was fetched is looked up where git was told to fetch.
      if (args[0] === "fetch" && where.kind === "own") {
        const refs = execFileSync(
          "git",
          ["for-each-ref", "--format=%(objectname) %(refname)"],
          options,
        );
        writeFileSync(join(where.repository.gitDir, "packed-refs"), refs);
      }
      return printed;
    },
  };
}

/** Where git would discover the repository that a command is about. */
function discovered(where: Where): string {
  if (where.kind !== "own" || where.repository.workTree !== null) return folderOf(where);
  return dirname(
    dirname(readFileSync(join(where.repository.gitDir, "objects/info/alternates"), "utf8").trim()),
  );
}
