/**
 * 4 KB of the Markdown that people write into pull requests: headings, lists, code, a table, links,
 * a closing line.
 */
export const markdownBody: string = `## What this changes

The retry path kept its own clock, so that a suspended laptop woke up with every lease long over and took all lanes at once.
Leases now use the database's time. The old behaviour was described in #4312 and again in https://example.org/forum/t/10877.

### How to review

1. Start with \`lease.ts\`; the state machine stands in the comment over it.
2. Then the migration. It only adds a column, \`fence\`, and fills it from the row number.
3. The tests come last, they are long but dull.

- [x] unit tests for both drivers
- [x] the soak test ran for two hours
- [ ] documentation for operators, in a later change
- [ ] remove the old flag after the next release (see the note below)

| driver   | before (ms) | after (ms) | note                        |
|----------|------------:|-----------:|-----------------------------|
| memory   |        0.04 |       0.04 | nothing to see              |
| sqlite   |        1.90 |       0.31 | one statement instead of 4  |
| postgres |        4.10 |       1.20 | no advisory lock any more   |

### Example

\`\`\`ts
const lease = await lanes.take({ owner, now: clock.now(), leaseMs: 30_000 });
if (lease === null) return; // somebody else has it
try {
  await run(lease.turn);
} finally {
  await lanes.release(lease);
}
\`\`\`

Running it by hand looks like this:

\`\`\`sh
$ lanes --all
lane octo/repo#12   open     1 turn waiting
lane octo/repo#14   held     usage limit until 14:05
\`\`\`

> I still do not like that \`release\` can be called twice. Can we make the second call an error?

It could, but a crash between the two would then look like a bug of ours. I left it idempotent and wrote that down. The
discussion is in [the design notes](https://example.org/notes/leases.html), under *Why not throw*.

### Risk

Low for SQLite, where there is one process. For PostgreSQL two old instances and one new one can share a store for the
length of a rolling restart; the fence is ignored by the old ones, exactly as it was before, so nothing gets worse.
What would get worse is a *downgrade*: the old code does not write the column, and a lane that was taken under the new
code keeps its fence. The statement below resets it, and \`doctor\` prints it when it finds such a lane:

\`\`\`sql
UPDATE lane SET fence = 0 WHERE owner IS NULL;
\`\`\`

### Not in this change

* The poller still asks for the whole list every minute. Conditional requests are the obvious next step, and they are not
  hard, but they touch the cursor and I did not want both in one review.
* Metrics for how long a lane waits. There is a histogram in the branch that I did not push, because its buckets were
  chosen by feel; somebody with a busy installation should say what is useful.
* Renaming \`Lane\` to something that does not sound like swimming. Suggestions are welcome, but not here.

### How it was measured

Two machines, each with two cores, ran the old and the new code in turns for an hour, with the payloads of a busy week
played back at ten times their speed. The table above shows medians; the worst of the new code was 4.4 ms, while the
first minute after a start is left out because the caches of the database were cold. A second run under load from a
build on the same machine moved all numbers by about a third and left their order alone. The scripts are in the folder
\`tooling/replay\`, and they need nothing but the recorded payloads, which are too large to be kept in the repository.

* What surprised me: most of the time went into the index on the state of a lane, not into the lease itself.
* What did not: writing the lease twice, once for the owner and once for its end, cost exactly one more flush.
* What I did not find out: why one run in twenty is faster than all others by a tenth. It is reproducible.

### Thanks

To everybody who sent logs, above all the two people who let their laptops sleep on purpose for a week, and to the one who sent a film
of a status line that said *idle* for nine hours while the fan of the machine ran. That film is why the status now names
what it waits for and since when.

Closes #1
`;
