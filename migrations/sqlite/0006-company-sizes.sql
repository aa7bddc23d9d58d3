-- What SQLite plans by is in the step before this one.
select 1;
