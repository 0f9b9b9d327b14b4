-- Each job with its last run on any server, and when it is due next.
select distinct on (r.name) r.id, r.name, r.started_at, r.ended_at,
  round(extract(epoch from r.ended_at - r.started_at), 1)::float as seconds,
  case
    when r.ok then 'Done'
    when not r.ok then 'Failed'
    when j.leased_until > now() then 'Under way'
    -- Runs of another program, or of a server of the release before.
    when coalesce(r.seen_at > now() - interval '1 minute', j.id is null and r.started_at > now() - interval '1 hour')
      then 'Under way'
    else 'Cut off'
  end as outcome,
  coalesce(r.error_code, j.last_error) as error_code,
  (select count(*)::int from job_runs f where f.name = r.name and not f.ok and f.started_at > now() - interval '1 day')
    as failures,
  case when j.leased_until > now() then null else j.run_at end as next_at
from job_runs r
left join jobs j on j.name = r.name
order by r.name, r.started_at desc, r.id desc
