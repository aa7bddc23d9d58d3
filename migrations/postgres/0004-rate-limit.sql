alter table credential add column rate_limit text;
