-- kind: expand
-- What a file of cases leaves unclear is asked before its rows are checked.
-- New columns of bulk_uploads and bulk_rows only: who sees a row, its audit, its limits and what purge does with it are
-- as before. Hashes are of personal data, so that they are cleared together with the cells, after 14 days or by a purge.
-- step
alter table bulk_uploads
  -- SHA-256 of the file in hexadecimal.
  add content_hash text,
  -- What is unclear in the file and in each column (see bulk/questions.ts); null for a file that an earlier release read.
  add findings jsonb,
  -- The answers by the names of the questions.
  add answers jsonb not null default '{}';
alter table bulk_rows
  -- True if the row is hidden or filtered out in the file.
  add hidden boolean not null default false,
  add uploaded_before boolean not null default false,
  -- MD5 of the cells as they were in the file.
  add cells_hash text,
  -- The first row of the file with the same person.
  add same_as integer;
-- The decision 'same' adds the case to the client of that row.
alter table bulk_rows drop constraint bulk_rows_decision_check;
alter table bulk_rows add constraint bulk_rows_decision_check
  check (decision in ('use', 'new', 'skip', 'same')) not valid;
-- step
alter table bulk_rows validate constraint bulk_rows_decision_check;
-- step: concurrently
create index concurrently bulk_rows_hash on bulk_rows (cells_hash) where cells_hash is not null;
-- step: concurrently
create index concurrently bulk_uploads_hash on bulk_uploads (content_hash) where content_hash is not null;
-- step: concurrently
create index concurrently bulk_rows_same_as on bulk_rows (same_as) where same_as is not null;
