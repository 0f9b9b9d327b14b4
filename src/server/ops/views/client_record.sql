-- The counts are for the previous release; this one reads the cases in computed.ts.
select
  (select count(*) from cases k where k.client = c.id and k.status = 1 -- active
    and (k.open_issues > 0 or k.issue_count = 0))::int as open_cases,
  (select count(*) from cases k where k.client = c.id and k.status = 1
    and k.open_issues = 0 and k.issue_count > 0)::int as closed_cases,
  c.*
from clients c
