-- kind: expand
-- The jobs that servers run by the clock: when each is due, and which server has leased it. Uploads of cases, which servers
-- work on too, get the same columns (core/queue.ts). Only servers read and write jobs: one row for each name in JOBS, which
-- a server adds at its start. Nothing in it is of a person, so no audit has it and no purge or merge changes it; an export
-- leaves it out, because a lease is of one installation. job_runs stays the history. A server of the release before takes
-- no notice of jobs: during an upgrade both may run a job, which does no harm.
-- step
create table jobs (
  id integer generated always as identity primary key,
  name text not null unique,
  run_at timestamptz not null default now(),
  worker uuid,
  leased_until timestamptz,
  -- Failures since the last success, and the code of the last one.
  attempts integer not null default 0,
  last_error text,
  -- Start of the last run, and of the last one that went well, with the release that ran it.
  started_at timestamptz,
  last_ok timestamptz,
  release text
);
-- step
alter table bulk_uploads
  add run_at timestamptz not null default now(),
  add attempts integer not null default 0,
  add last_error text;
