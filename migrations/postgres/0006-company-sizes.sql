-- A statement is planned once for all companies. Of itself, the plan would go by what companies have on average, and where most are
-- small, it would read a large one whole to find one of its projects. So it is made for a company that has a fifth of all rows, and
-- a small one is read as fast by it. On Citus, which refuses to be told so, each statement is planned with its values.
do $$
declare
  owned text;
  is_filled boolean;
begin
  if to_regclass('pg_dist_partition') is null then
    foreach owned in array array['bid', 'project', 'audit_event', 'credential_usage', 'credential_last_use', 'idempotency'] loop
      execute format('alter table %I alter column company_id set (n_distinct = 5)', owned);
      execute format('select exists (select from %I)', owned) into is_filled;
      -- Of a table that is known to be empty, the first plans would read the whole, and stay when it is filled.
      if is_filled then
        execute format('analyze %I', owned);
      end if;
    end loop;
  end if;
end $$;
