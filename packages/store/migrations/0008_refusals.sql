-- What people asked for in vain is looked through whenever somebody asks how things are; it is little in a long log.
create index decision_refused on decision (instance, seq) where verdict = 'refused';
