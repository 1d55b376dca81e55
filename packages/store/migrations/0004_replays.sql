-- An index over all digests takes another page into the log with nearly every delivery, since digests are spread evenly.
-- The newest deliveries stand in the memory of each handle instead; the others are added here many at a time, in order.

drop index delivery_verified;

-- The beginning of a digest is enough to find the delivery, which then is compared.
create table delivery_replay (
  digest text not null,
  seq integer not null,
  primary key (digest, seq)
) strict, without rowid;

-- One row: all verified deliveries up to here are in delivery_replay.
create table delivery_replay_end (
  seq integer not null
) strict;

insert into delivery_replay (digest, seq) select substr(digest, 1, 12), seq from delivery where verified = 1 order by 1, 2;
insert into delivery_replay_end (seq) select coalesce(max(seq), 0) from delivery;
