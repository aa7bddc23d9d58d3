-- Each is null where it narrows nothing; otherwise words with commas between them.
alter table credential add column resources text;
alter table credential add column may text;
alter table credential add column addresses text;
