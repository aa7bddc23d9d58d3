-- Grows with every change of the company's fields. 0: it has none.
alter table company add column fields_version bigint not null default 0;

-- The values of the company's own fields as they are shown, the version that they were written for, and those of archived fields.
-- The type json keeps the text as it is.
alter table bid add column fields json;
alter table bid add column fields_version bigint not null default 0;
alter table bid add column archived_fields json;
alter table project add column fields json;
alter table project add column fields_version bigint not null default 0;
alter table project add column archived_fields json;

create table field (
  company_id uuid not null references company (id),
  id uuid not null,
  resource text collate "C" not null,
  name text collate "C" not null,
  label text collate "C" not null,
  description text collate "C" not null,
  type text collate "C" not null,
  position bigint not null,
  required boolean not null,
  default_value json,
  rules json not null,
  choices json,
  initial text collate "C",
  start text collate "C" not null,
  transitions json,
  indexed boolean not null,
  indexed_at timestamptz,
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, id)
);
-- distribute: field

-- The version of a company's fields in one resource, and up to which version all of its rows are rewritten. Until they are: the names
-- of fields that were restored, and of those that are deleted, whose values may still stand in rows. As JSON.
create table field_set (
  company_id uuid not null references company (id),
  resource text not null,
  version bigint not null,
  rewritten_version bigint not null,
  -- 1: rows are to be rewritten, or an index is to be built.
  pending integer not null,
  restored text not null,
  deleted text not null,
  primary key (company_id, resource)
);
-- distribute: field_set
create index field_set_pending on field_set (company_id, resource) where pending = 1;

-- Of indexed fields. Values are spelled so that they sort as texts.
create table field_value (
  company_id uuid not null,
  field_id uuid not null,
  row_id uuid not null,
  value text collate "C",
  primary key (company_id, field_id, row_id)
);
-- distribute: field_value
create index field_value_by_value on field_value (company_id, field_id, value, row_id);

-- As in the step of company sizes.
do $$
declare
  owned text;
begin
  if to_regclass('pg_dist_partition') is null then
    foreach owned in array array['field', 'field_set', 'field_value'] loop
      execute format('alter table %I alter column company_id set (n_distinct = 5)', owned);
    end loop;
  end if;
end $$;
