-- kind: expand
-- Whether a person wants a mail of what waits for them, and the day of the last.

alter table staff
  add column digest text not null default 'none' check (digest in ('none', 'daily', 'weekly')),
  add column digest_sent date;
