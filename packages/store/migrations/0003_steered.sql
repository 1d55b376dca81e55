-- The control verb that was taken before the delivery: what is told before and after one never shares a turn.
alter table turn_delivery add column steered text;
