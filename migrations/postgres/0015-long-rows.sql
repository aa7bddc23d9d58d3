-- Long rows keep nobody waiting here: a server reads them.
select 1;
