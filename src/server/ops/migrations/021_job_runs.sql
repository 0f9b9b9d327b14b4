-- kind: expand
-- Runs of jobs, of all servers. A run that a server began by the clock has its hour, which no other server can have; one at
-- the start of a server has none. What ended with neither outcome was cut off with its server.

create table job_runs (
  id integer generated always as identity primary key,
  name text not null,
  hour timestamptz,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  ok boolean,
  error_code text,
  unique (name, hour)
);
create index job_runs_started on job_runs (name, started_at desc);
