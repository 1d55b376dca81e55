-- Repositories by the host's immutable id: the name under which each is known here, and what the host calls it now (S04).
-- It takes the place of `alias`, which named single items and was never written.
drop table alias;

create table repository (
  host text not null, -- '' is the default host
  id text not null,
  known_owner text not null,
  known_name text not null,
  present_owner text not null,
  present_name text not null,
  primary key (host, id)
) strict, without rowid;

-- What was recorded before this table was there keeps its name: the newest record of a repository says it.
insert into repository (host, id, known_owner, known_name, present_owner, present_name)
  with named as (
    select json_extract(record, '$.repositoryId') as id, substr(ref, 6, instr(ref, '#') - 6) as path from work_item
    where record is not null and json_extract(record, '$.repositoryId') is not null
  ), parts as (
    select id, case when path like '%/%/%' then substr(path, 1, instr(path, '/') - 1) else '' end as host, path from named
  ), names as (
    select id, host, case when host = '' then path else substr(path, length(host) + 2) end as full_name from parts
  )
  select host, id, substr(full_name, 1, instr(full_name, '/') - 1) as owner, substr(full_name, instr(full_name, '/') + 1) as name,
    substr(full_name, 1, instr(full_name, '/') - 1), substr(full_name, instr(full_name, '/') + 1)
  from names where true group by host, id
  on conflict do nothing;
