-- What an instance says of its present life, and what somebody told it. Rows of before may be of commands alone: they count as ended.
alter table instance
  add column machine text not null default '',
  add column scope text not null default '{"mode":"open","workItems":[]}',
  add column started_at bigint not null default 0,
  add column ended boolean not null default true,
  add column drained boolean not null default false;
