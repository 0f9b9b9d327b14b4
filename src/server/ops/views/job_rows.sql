-- Each job with its last run on any server.
select distinct on (r.name) r.id, r.name, r.started_at, r.ended_at,
  round(extract(epoch from r.ended_at - r.started_at), 1)::float as seconds,
  case
    when r.ok then 'Done'
    when not r.ok then 'Failed'
    when coalesce(r.seen_at > now() - interval '1 minute', r.started_at > now() - interval '1 hour') then 'Under way'
    else 'Cut off'
  end as outcome,
  r.error_code,
  (select count(*)::int from job_runs f where f.name = r.name and not f.ok and f.started_at > now() - interval '1 day')
    as failures
from job_runs r
order by r.name, r.started_at desc, r.id desc
