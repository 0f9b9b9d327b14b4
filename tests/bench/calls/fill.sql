-- Clients, cases and issues of a large organisation, the same on every run. bench.clients says how many clients;
-- 1.5 cases to a client, 1.2 issues to a case, 400 staff. Runs on a migrated database without staff.

-- A whole number from 0 below n.
create function pg_temp.pick(i int, salt int, n int) returns int language sql immutable parallel safe as
  $$ select abs(hashint4extended(i, salt) % n)::int $$;
-- One of a list, the first ones often and the last ones seldom, as names are.
create function pg_temp.skewed(i int, salt int, list text[]) returns text language sql immutable parallel safe as
  $$ select list[1 + floor(power(pg_temp.pick(i, salt, 100000) / 100000.0, 2) * cardinality(list))::int] $$;

insert into staff (username, first_name, last_name, groups, hub, services, line_manager)
select 'bench' || i, 'Staff', 'Number ' || i,
  array[case when i = 1 then 1 when i <= 40 then 2 when i % 10 < 7 then 4 when i % 10 = 7 then 6 else 3 end],
  1 + i % 25, array[1 + i % 6, 1 + (i + 1) % 6], case when i > 40 then 2 + i % 39 end
from generate_series(1, 400) i;

insert into clients (first_name, last_name, dob, postcode, phone, gender, ethnicity, status, created_by, created_at)
select
  pg_temp.skewed(i, 1, string_to_array('Olivia Amelia Isla Ava Ivy Freya Lily Florence Mia Willow Rosie Sophia Grace Daisy Poppy Elsie Emily Ella Evelyn Phoebe Charlotte Harper Matilda Maya Sophie Alice Emma Ruby Maisie Aria Penelope Oliver George Arthur Noah Muhammad Leo Oscar Harry Archie Jack Henry Charlie Freddie Theodore Thomas Finley Theo Alfie Jacob William Isaac Tommy Joshua James Lucas Alexander Arlo Roman Edward Elijah Teddy Mohammed Max Adam Albie Ethan Logan Joseph Sebastian Benjamin Harrison Siobhán Zoë André', ' ')),
  pg_temp.skewed(i, 2, string_to_array('Smith Jones Taylor Brown Williams Wilson Johnson Davies Patel Robinson Wright Thompson Evans Walker White Roberts Green Hall Thomas Clarke Jackson Wood Harris Edwards Turner Martin Cooper Hill Ward Hughes Moore Clark King Harrison Lewis Baker Lee Allen Morris Khan Scott Watson Davis Parker James Bennett Young Phillips Richardson Mitchell Bailey Carter Cook Singh Shaw Bell Collins Morgan Kelly Begum Miller Cox Hussain Marshall Simpson Price Anderson Adams Wilkinson Foster Ali Gray', ' '))
    || case when pg_temp.pick(i, 3, 4) = 0 then '-' || (array['Ashworth', 'Blackburn', 'Crawford', 'Dunford', 'Eastwood', 'Fairclough', 'Hartley', 'Langridge', 'Oakley', 'Thornton'])[1 + pg_temp.pick(i, 4, 10)] else '' end,
  date '1925-01-01' + pg_temp.pick(i, 5, 33000),
  (array['AL', 'SW', 'SE', 'NW', 'LS', 'BS', 'CF', 'NE', 'NG', 'LE'])[1 + pg_temp.pick(i, 6, 10)] || (1 + pg_temp.pick(i, 7, 20)) || ' ' || pg_temp.pick(i, 8, 10) || 'AB',
  '01632 96' || lpad(pg_temp.pick(i, 9, 10000)::text, 4, '0'),
  1 + pg_temp.pick(i, 10, 9), 1 + pg_temp.pick(i, 11, 21),
  case when pg_temp.pick(i, 12, 20) = 0 then 2 else 1 end,
  1 + pg_temp.pick(i, 13, 400), now() - pg_temp.pick(i, 14, 2500) * interval '1 day'
from generate_series(1, current_setting('bench.clients')::int) i;

-- What the triggers count row by row is counted here as the rows are made: two issues where the number ends with 0 or 5.
alter table cases disable trigger user;
alter table issues disable trigger user;

insert into cases (client, service, case_type, case_type_version, contract, answers, issue_count, open_issues, close_date, touched_at, created_by, created_at)
select 1 + pg_temp.pick(i, 21, current_setting('bench.clients')::int), t.service, t.id, t.version,
  coalesce((select min(value) from lookup where kind = 'contracts' and (attrs ->> 'service')::int = t.service), 1),
  jsonb_build_object('is_urgent', case when pg_temp.pick(i, 22, 12) = 0 then 'yes' else 'no' end,
    'source', pg_temp.pick(i, 23, 20), 'notes', 'Asked for help with number ' || i),
  1 + (i % 5 = 0)::int,
  case when pg_temp.pick(i, 24, 100) < 35 then 1 + (i % 5 = 0)::int else 0 end,
  case when pg_temp.pick(i, 24, 100) >= 35 then current_date - pg_temp.pick(i, 25, 2000) end,
  now() - pg_temp.pick(i, 25, 2000) * interval '1 day', 1 + pg_temp.pick(i, 26, 400),
  now() - (60 + pg_temp.pick(i, 25, 2000)) * interval '1 day'
from generate_series(1, current_setting('bench.clients')::int * 3 / 2) i
join case_types t on t.id = 1 + pg_temp.pick(i, 27, 6)
order by i;
insert into case_monitoring ("case") select id from cases;

insert into issues ("case", service, contract, hub, case_type_version, issue_type, start_date, advocate, answers, is_opened, close_date, created_by, created_at)
select k.id, k.service, k.contract, a.hub, k.case_type_version, 1 + pg_temp.pick(k.id, 31 + n, 53), k.created_at::date,
  case when k.open_issues > 0 and pg_temp.pick(k.id, 33 + n, 30) = 0 then null else a.id end,
  jsonb_build_object('stage', pg_temp.pick(k.id, 35 + n, 6)), k.open_issues > 0, k.close_date, k.created_by, k.created_at
from cases k cross join lateral generate_series(1, k.issue_count) n
join staff a on a.id = 41 + pg_temp.pick(k.id, 37 + n, 360)
order by k.id, n;
insert into issue_monitoring (issue) select id from issues;

alter table cases enable trigger user;
alter table issues enable trigger user;
