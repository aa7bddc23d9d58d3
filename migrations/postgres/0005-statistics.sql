-- PostgreSQL keeps its statistics by itself.
select 1;
