/**
 * The least that any router does with a parsed payload: it looks at the fields that say where the
 * event belongs, who caused it and what it is about, and checks that each has its type. Nothing is
 * compared, built or decided, and no text is searched. How long this takes is the machine's own
 * share of a decision: mostly memory, because the payloads do not fit a small cache.
 */
export function readAlone(payload: unknown): number {
  const {
    action,
    repository,
    sender,
    issue,
    pull_request: pullRequest,
    comment,
    review,
    check_run: run,
    check_suite: suite,
    workflow_run: workflow,
  } = fieldsOf(payload);
  return (
    word(action) +
    ofRepository(fieldsOf(repository)) +
    ofPerson(fieldsOf(sender)) +
    ofItem(fieldsOf(issue ?? pullRequest)) +
    ofText(fieldsOf(comment ?? review)) +
    ofCheck(fieldsOf(run ?? suite ?? workflow))
  );
}

type Fields = { readonly [key: string]: unknown };

function ofRepository({ name, full_name: fullName, id, html_url: url, owner }: Fields): number {
  return word(name) + word(fullName) + figure(id) + word(url) + ofPerson(fieldsOf(owner));
}

function ofPerson({ login, id, type }: Fields): number {
  return word(login) + figure(id) + word(type);
}

function ofItem({
  number,
  title,
  state,
  id,
  created_at: created,
  updated_at: updated,
  body,
  user,
  labels,
  head,
  base,
}: Fields): number {
  let read =
    figure(number) +
    word(title) +
    word(state) +
    figure(id) +
    word(created) +
    word(updated) +
    word(body) +
    ofPerson(fieldsOf(user)) +
    ofBranch(fieldsOf(head)) +
    ofBranch(fieldsOf(base));
  if (Array.isArray(labels)) for (const label of labels) read += word(fieldsOf(label)["name"]);
  return read;
}

function ofBranch({ ref, sha, repo }: Fields): number {
  return word(ref) + word(sha) + word(fieldsOf(repo)["full_name"]);
}

function ofText({ id, body, user, html_url: url, created_at: created }: Fields): number {
  return figure(id) + word(body) + word(url) + word(created) + ofPerson(fieldsOf(user));
}

function ofCheck({
  id,
  name,
  status,
  conclusion,
  head_sha: sha,
  pull_requests: pulls,
}: Fields): number {
  let read = figure(id) + word(name) + word(status) + word(conclusion) + word(sha);
  if (Array.isArray(pulls)) for (const pull of pulls) read += figure(fieldsOf(pull)["number"]);
  return read;
}

const nothing: Fields = {};

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : nothing;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/** The length, so that the text itself has to be fetched. */
function word(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}

function figure(value: unknown): number {
  return Number.isSafeInteger(value) ? 1 : 0;
}
