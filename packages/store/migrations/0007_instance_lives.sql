-- What an instance says of its present life, and what somebody told it. Rows of before may be of commands alone: they count as ended.
alter table instance add column machine text not null default '';
alter table instance add column scope text not null default '{"mode":"open","workItems":[]}';
alter table instance add column started_at integer not null default 0;
alter table instance add column ended integer not null default 1 check (ended in (0, 1));
alter table instance add column drained integer not null default 0 check (drained in (0, 1));
