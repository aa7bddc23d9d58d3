create table task (
  company_id text not null,
  id text not null,
  project_id text not null,
  task_name text not null,
  note text,
  state text default 'open' not null,
  due_at text,
  due_on text,
  hours integer,
  cost integer default '0' not null,
  share real,
  is_urgent integer,
  tags text,
  extra text,
  created_at text not null,
  updated_at text not null,
  primary key (company_id, id),
  constraint task_project_id_fkey foreign key (company_id, project_id) references project (company_id, id),
  constraint task_task_name_check check (length(task_name) between 1 and 255),
  constraint task_note_check check (length(note) between 1 and 1000),
  constraint task_state_check check (length(state) between 1 and 20)
) strict, without rowid;

create index task_by_project_id on task (company_id, project_id, id);

create table entry (
  company_id text not null references company (id),
  id integer not null,
  project_id text not null,
  before text not null,
  created_at text not null,
  primary key (company_id, id)
) strict, without rowid;

-- Plans are made for a large company.
insert into sqlite_stat1 (tbl, idx, stat) values
  ('task', 'task', '1000000 10000 1'),
  ('task', 'task_by_project_id', '1000000 10000 20 1'),
  ('entry', 'entry', '1000000 10000 1');
analyze sqlite_schema;
