-- Records that are always loaded and saved whole are JSON documents; what is asked for by value stands in
-- generated columns beside them. Times are milliseconds since 1970.

create table schema_version (
  version integer primary key,
  name text not null,
  applied_at integer not null
) strict;

-- One row a named loop: what it says of its present life, and what somebody told it.
create table instance (
  name text primary key,
  incarnation text not null,
  machine text not null,
  scope text not null,
  started_at integer not null,
  seen_at integer not null,
  ended integer not null check (ended in (0, 1)),
  drained integer not null default 0 check (drained in (0, 1))
) strict;

-- What came in, in the order in which it is decided. Ids and digests are kept for good.
create table delivery (
  seq integer primary key,
  id text not null unique,
  source text not null check (source in ('webhook', 'poll', 'cli', 'api')),
  event text not null,
  verified integer not null check (verified in (0, 1)),
  received_at integer not null,
  digest text not null,
  ignored text
) strict;

-- An index over all digests would take another page into the log with nearly every delivery, since digests are spread
-- evenly. The newest deliveries stand in the memory of each handle instead; the others are added here many at a time, in
-- order. The beginning of a digest is enough to find the delivery, which then is compared.
create table delivery_replay (
  digest text not null,
  seq integer not null,
  primary key (digest, seq)
) strict, without rowid;

-- One row: all verified deliveries up to here are in delivery_replay.
create table delivery_replay_end (
  seq integer not null
) strict;
insert into delivery_replay_end (seq) values (0);

-- Raw bodies, or where they stand in the segment files beside the database; only bodies.ts names these two tables. The
-- number of a segment, whose file may still be open somewhere, is never given again; `kept` counts its bodies.
create table body_segment (
  number integer primary key autoincrement,
  kept integer not null,
  made_at integer not null
) strict;
create table delivery_body (
  seq integer primary key,
  body blob,
  segment integer,
  start integer,
  length integer not null,
  crc integer,
  check ((body is null) = (segment is not null and start is not null and crc is not null))
) strict;

-- Each instance reads the log for itself: all deliveries up to `seq` are decided or ignored.
create table cursor (
  instance text primary key,
  seq integer not null
) strict;

-- With rowids: rows of a table without them take a page of their own beside it when they are over some thousand bytes.
create table decision (
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
create unique index decision_key on decision (instance, key) where key is not null;
create index decision_work_item on decision (instance, work_item, seq) where work_item is not null;
-- What people asked for in vain is looked through whenever somebody asks how things are; it is little in a long log.
create index decision_refused on decision (instance, seq) where verdict = 'refused';

-- `record` is null until something about the item had to be remembered.
create table work_item (
  ref text primary key,
  record text,
  instance text generated always as (record ->> '$.control.instance') virtual,
  status text generated always as (record ->> '$.control.status') virtual
) strict;

create table session (
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
create index session_endpoint on session (endpoint);
create index session_harness on session (harness_session_id);

create table pr_link (
  work_item text not null references work_item (ref),
  pull_request text not null,
  position integer not null,
  record text not null,
  head_sha text generated always as (record ->> '$.headSha') virtual,
  linked_at integer generated always as (record ->> '$.at') virtual,
  primary key (work_item, pull_request)
) strict;
create index pr_link_pull_request on pr_link (pull_request);
create index pr_link_head on pr_link (head_sha) where head_sha is not null;

create table collaborator (
  work_item text not null references work_item (ref),
  login text not null,
  position integer not null,
  record text not null,
  primary key (work_item, login)
) strict;

create table ci_attempt (
  work_item text not null references work_item (ref),
  pull_request text not null,
  check_name text not null,
  position integer not null,
  record text not null,
  primary key (work_item, pull_request, check_name)
) strict;

-- One lane an endpoint, never removed: `fence` only grows.
create table lane (
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
create index lane_work_item on lane (work_item);

-- Turns that are folded into another go; their numbers are never given again.
create table turn (
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
create index turn_standing on turn (lane, id) where state in ('ready', 'injecting', 'uncertain');
create index turn_lane on turn (lane, id);
create index turn_work_item on turn (work_item, id);

-- At most one turn of a delivery on a lane. `steered`: the control verb that was taken before the delivery; what is told
-- before and after one never shares a turn.
create table turn_delivery (
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
create index turn_delivery_turn on turn_delivery (turn, seq);

-- The outbox.
create table effect (
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
create index effect_pending on effect (instance, work_item, id) where state = 'pending';
-- What one instance has put into the outbox for a delivery no other instance puts there again.
create index effect_delivery on effect (delivery_id);

create table event (
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
create index event_work_item on event (work_item, id) where work_item is not null;
create index event_delivery on event (delivery, id) where delivery is not null;
create index event_time on event (time);
-- Each comment that arrives is looked up among those that the service and its agents posted.
create index event_comment on event (json_extract(fields, '$.comment'), id) where json_extract(fields, '$.comment') is not null;

-- Numeric ids that logins were pinned to on first sight; logins in lower case.
create table actor (
  login text primary key,
  id text not null,
  first_seen integer not null
) strict;

-- Repositories by the host's immutable id: the name under which each is known here, and what the host calls it now.
create table repository (
  host text not null, -- '' is the default host
  id text not null,
  known_owner text not null,
  known_name text not null,
  present_owner text not null,
  present_name text not null,
  primary key (host, id)
) strict, without rowid;

create table poll_cursor (
  instance text not null,
  repository text not null,
  resource text not null,
  record text not null,
  primary key (instance, repository, resource)
) strict;
