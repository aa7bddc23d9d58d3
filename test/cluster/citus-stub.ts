import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Citus is not among the packages that tests can count on. This extension of the same name has the functions, tables and columns
 * that the commands use, as Citus 12 and 13 declare them, keeps the rules about keys that Citus has, and moves nothing.
 */
export function installStub(extensions: string): void {
  writeFileSync(join(extensions, 'citus.control'), "default_version = '13.0-1'\nrelocatable = false\nschema = public\n")
  writeFileSync(join(extensions, 'citus--13.0-1.sql'), script)
}

const script = `
create table pg_dist_node (groupid int, nodename text, nodeport int, noderole text, isactive boolean);
create table pg_dist_partition (logicalrelid regclass, partmethod "char", repmodel "char", colocationid int);
create table citus_shards (table_name regclass, shardid bigint, nodename text, nodeport int, shard_size bigint);
create table stub_call (number bigint generated always as identity, call text);

create function stub_note(text) returns void language sql as $$ insert into stub_call (call) values ($1) $$;

create function stub_refuse_keys(regclass) returns void language plpgsql as $$
begin
  if exists (select from pg_constraint where contype = 'f' and (conrelid = $1 or confrelid = $1)) then
    raise exception 'cannot create foreign key constraint since relations are not colocated or not referencing a reference table';
  end if;
  if exists (select from pg_dist_partition where logicalrelid = $1) then
    raise exception 'table "%" is already distributed', $1;
  end if;
end $$;

create function create_reference_table(table_name regclass) returns void language plpgsql as $$
begin
  perform stub_refuse_keys(table_name), stub_note('reference ' || table_name::text);
  insert into pg_dist_partition values (table_name, 'n', 't', 1);
end $$;

create function create_distributed_table(table_name regclass, distribution_column text, distribution_type text default 'hash',
  colocate_with text default 'default', shard_count int default null) returns void language plpgsql as $$
begin
  perform stub_refuse_keys(table_name);
  if exists (select from pg_index i where indrelid = table_name and indisunique and not exists (
    select from pg_attribute a where a.attrelid = indrelid and a.attnum = any(i.indkey::int2[]) and a.attname = distribution_column)) then
    raise exception 'cannot create constraint on "%"', table_name;
  end if;
  perform stub_note(concat_ws(' ', 'distributed', table_name::text, distribution_column, colocate_with, shard_count));
  insert into pg_dist_partition values (table_name, 'h', 's', 2);
  insert into citus_shards values (table_name, 102008, 'worker-1', 5432, 1048576);
end $$;

create function get_shard_id_for_distribution_column(table_name regclass, distribution_value anyelement) returns bigint
  language sql as $$ select 102008::bigint $$;

create function isolate_tenant_to_new_shard(table_name regclass, tenant_id anyelement, cascade_option text default '')
  returns bigint language plpgsql as $$
begin
  if exists (select from stub_call where call like 'isolate %' || tenant_id) then
    raise exception 'table % has already been isolated for the given value', table_name;
  end if;
  perform stub_note(concat_ws(' ', 'isolate', table_name, cascade_option, pg_typeof(tenant_id), tenant_id));
  return 102240;
end $$;
`
