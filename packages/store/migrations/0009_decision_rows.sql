-- Rows of a table without rowids over some thousand bytes take a page of their own beside it: 4.5 KB for each decision, of which 1.5 were its facts.
create table decision_rows (
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
insert into decision_rows select * from decision;
drop table decision;
alter table decision_rows rename to decision;
create unique index decision_key on decision (instance, key) where key is not null;
create index decision_work_item on decision (instance, work_item, seq) where work_item is not null;
create index decision_refused on decision (instance, seq) where verdict = 'refused';
