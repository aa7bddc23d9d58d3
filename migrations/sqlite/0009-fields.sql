-- Grows with every change of the company's fields. 0: it has none.
alter table company add column fields_version integer not null default 0;

-- The values of the company's own fields as they are shown, the version that they were written for, and those of archived fields.
alter table bid add column fields text;
alter table bid add column fields_version integer not null default 0;
alter table bid add column archived_fields text;
alter table project add column fields text;
alter table project add column fields_version integer not null default 0;
alter table project add column archived_fields text;

create table field (
  company_id text not null references company (id),
  id text not null,
  resource text not null,
  name text not null,
  label text not null,
  description text not null,
  type text not null,
  position integer not null,
  required integer not null,
  default_value text,
  rules text not null,
  choices text,
  initial text,
  start text not null,
  transitions text,
  indexed integer not null,
  indexed_at text,
  archived_at text,
  created_at text not null,
  updated_at text not null,
  primary key (company_id, id)
) strict, without rowid;

-- The version of a company's fields in one resource, and up to which version all of its rows are rewritten. Until they are: the names
-- of fields that were restored, and of those that are deleted, whose values may still stand in rows. As JSON.
create table field_set (
  company_id text not null references company (id),
  resource text not null,
  version integer not null,
  rewritten_version integer not null,
  -- 1: rows are to be rewritten, or an index is to be built.
  pending integer not null,
  restored text not null,
  deleted text not null,
  primary key (company_id, resource)
) strict, without rowid;

create index field_set_pending on field_set (company_id, resource) where pending = 1;

-- Of indexed fields. Values are spelled so that they sort as texts.
create table field_value (
  company_id text not null,
  field_id text not null,
  row_id text not null,
  value text,
  primary key (company_id, field_id, row_id)
) strict, without rowid;

create index field_value_by_value on field_value (company_id, field_id, value, row_id);

insert into sqlite_stat1 (tbl, idx, stat) values
  ('field_value', 'field_value', '1000000 10000 1000 1'),
  ('field_value', 'field_value_by_value', '1000000 10000 1000 20 1');
analyze sqlite_schema;
