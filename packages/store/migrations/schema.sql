CREATE TABLE actor (
  login text primary key,
  id text not null,
  first_seen integer not null
) strict;

CREATE TABLE body_segment (
  number integer primary key autoincrement,
  kept integer not null,
  made_at integer not null
) strict;

CREATE TABLE ci_attempt (
  work_item text not null references work_item (ref),
  pull_request text not null,
  check_name text not null,
  position integer not null,
  record text not null,
  primary key (work_item, pull_request, check_name)
) strict;

CREATE TABLE collaborator (
  work_item text not null references work_item (ref),
  login text not null,
  position integer not null,
  record text not null,
  primary key (work_item, login)
) strict;

CREATE TABLE cursor (
  instance text primary key,
  seq integer not null
) strict;

CREATE TABLE decision (
  instance text not null,
  seq integer not null references delivery (seq),
  work_item text,
  key text,
  verdict text not null,
  reason text not null,
  event text,
  state text,
  decision text not null,
  decided_at integer not null,
  primary key (instance, seq)
) strict;

CREATE TABLE delivery (
  seq integer primary key,
  id text not null unique,
  source text not null check (source in ('webhook', 'poll', 'cli', 'api')),
  event text not null,
  verified integer not null check (verified in (0, 1)),
  received_at integer not null,
  digest text not null,
  ignored text
) strict;

CREATE TABLE delivery_body (
  seq integer primary key,
  body blob,
  segment integer,
  start integer,
  length integer not null,
  crc integer,
  check ((body is null) = (segment is not null and start is not null and crc is not null))
) strict;

CREATE TABLE delivery_replay (
  digest text not null,
  seq integer not null,
  primary key (digest, seq)
) strict, without rowid;

CREATE TABLE delivery_replay_end (
  seq integer not null
) strict;

CREATE TABLE effect (
  id integer primary key autoincrement,
  instance text not null,
  work_item text not null,
  delivery_id text not null,
  effect text not null,
  state text not null check (state in ('pending', 'done', 'failed')),
  attempts integer not null default 0,
  not_before integer not null default 0,
  note text,
  created_at integer not null,
  kind text generated always as (effect ->> '$.kind') virtual
) strict;

CREATE TABLE event (
  id integer primary key autoincrement,
  time integer not null,
  kind text not null,
  level text not null,
  instance text not null,
  work_item text,
  delivery text,
  reason text,
  fields text not null
) strict;

CREATE TABLE instance (
  name text primary key,
  incarnation text not null,
  machine text not null,
  scope text not null,
  started_at integer not null,
  seen_at integer not null,
  ended integer not null check (ended in (0, 1)),
  drained integer not null default 0 check (drained in (0, 1))
) strict;

CREATE TABLE lane (
  number integer primary key,
  endpoint text not null unique,
  work_item text not null references work_item (ref),
  instance text not null,
  hold text,
  holder text,
  lease_until integer,
  lease_ms integer,
  fence integer not null default 0
) strict;

CREATE TABLE poll_cursor (
  instance text not null,
  repository text not null,
  resource text not null,
  record text not null,
  primary key (instance, repository, resource)
) strict;

CREATE TABLE pr_link (
  work_item text not null references work_item (ref),
  pull_request text not null,
  position integer not null,
  record text not null,
  head_sha text generated always as (record ->> '$.headSha') virtual,
  linked_at integer generated always as (record ->> '$.at') virtual,
  primary key (work_item, pull_request)
) strict;

CREATE TABLE repository (
  host text not null, -- '' is the default host
  id text not null,
  known_owner text not null,
  known_name text not null,
  present_owner text not null,
  present_name text not null,
  primary key (host, id)
) strict, without rowid;

CREATE TABLE schema_version (
  version integer primary key,
  name text not null,
  applied_at integer not null
) strict;

CREATE TABLE session (
  work_item text not null references work_item (ref),
  endpoint text not null,
  position integer not null,
  record text not null,
  harness_session_id text generated always as (record ->> '$.harnessSessionId') virtual,
  status text generated always as (record ->> '$.status') virtual,
  workdir text generated always as (record ->> '$.workdir') virtual,
  created_at integer generated always as (record ->> '$.createdAt') virtual,
  primary key (work_item, endpoint)
) strict;

CREATE TABLE turn (
  id integer primary key autoincrement,
  lane text not null references lane (endpoint),
  work_item text not null references work_item (ref),
  mode text not null check (mode in ('spawn', 'resume')),
  state text not null check (state in ('ready', 'injecting', 'done', 'failed', 'uncertain', 'dropped')),
  attempt text,
  attempts integer not null,
  not_before integer not null,
  next text not null check (next in ('first', 'again', 'continue')),
  note text,
  created_at integer not null
) strict;

CREATE TABLE turn_delivery (
  lane text not null references lane (endpoint),
  delivery_id text not null,
  turn integer not null references turn (id),
  seq integer not null,
  authority text not null,
  received_at integer not null,
  event text not null,
  steered text,
  primary key (lane, delivery_id)
) strict, without rowid;

CREATE TABLE work_item (
  ref text primary key,
  record text,
  instance text generated always as (record ->> '$.control.instance') virtual,
  status text generated always as (record ->> '$.control.status') virtual
) strict;

CREATE UNIQUE INDEX decision_key on decision (instance, key) where key is not null;

CREATE INDEX decision_refused on decision (instance, seq) where verdict = 'refused';

CREATE INDEX decision_work_item on decision (instance, work_item, seq) where work_item is not null;

CREATE INDEX effect_delivery on effect (delivery_id);

CREATE INDEX effect_pending on effect (instance, work_item, id) where state = 'pending';

CREATE INDEX event_comment on event (json_extract(fields, '$.comment'), id) where json_extract(fields, '$.comment') is not null;

CREATE INDEX event_delivery on event (delivery, id) where delivery is not null;

CREATE INDEX event_time on event (time);

CREATE INDEX event_work_item on event (work_item, id) where work_item is not null;

CREATE INDEX lane_work_item on lane (work_item);

CREATE INDEX pr_link_head on pr_link (head_sha) where head_sha is not null;

CREATE INDEX pr_link_pull_request on pr_link (pull_request);

CREATE INDEX session_endpoint on session (endpoint);

CREATE INDEX session_harness on session (harness_session_id);

CREATE INDEX turn_delivery_turn on turn_delivery (turn, seq);

CREATE INDEX turn_lane on turn (lane, id);

CREATE INDEX turn_standing on turn (lane, id) where state in ('ready', 'injecting', 'uncertain');

CREATE INDEX turn_work_item on turn (work_item, id);
