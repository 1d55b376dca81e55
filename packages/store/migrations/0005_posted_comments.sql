-- Each comment that arrives is looked up among those that the service and its agents posted.
create index event_comment on event (json_extract(fields, '$.comment'), id) where json_extract(fields, '$.comment') is not null;
