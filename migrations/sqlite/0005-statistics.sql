-- Without statistics the engine takes a company for ten rows, and reads all of its projects rather than those of a bid by their index.
-- These are written by hand, so that the same request runs the same way in every installation, however its data grows.
pragma analysis_limit = 1;
analyze project;
delete from sqlite_stat1 where tbl = 'project';
insert into sqlite_stat1 (tbl, idx, stat) values
  ('project', 'project', '1000000 10000 1'),
  ('project', 'project_by_bid_id', '1000000 10000 20 1');
analyze sqlite_schema;
