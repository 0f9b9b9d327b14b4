-- kind: expand
-- What lists are ordered or found by is stored with the row, so that neither takes longer the more rows there are.

-- The last contact of a case is the latest of its issues.
alter table cases add last_contact date;
alter table issues add is_invalid boolean not null default false;

create or replace function case_totals() returns trigger language plpgsql as $$
begin
  update cases set
    issue_count = t.n,
    open_issues = t.open,
    close_date = case when t.n > 0 and t.open = 0 then t.closed end,
    last_contact = t.last_contact
  from (
    select count(*) n, count(*) filter (where is_opened and status = 1) open,
      coalesce(max(close_date), current_date) closed, max(coalesce(last_contact, start_date)) last_contact
    from issues where "case" = coalesce(new."case", old."case")
  ) t
  where id = coalesce(new."case", old."case");
  return null;
end $$;
drop trigger issues_totals on issues;
create trigger issues_totals
  after insert or delete or update of is_opened, close_date, status, "case", last_contact, start_date on issues
  for each row execute function case_totals();

-- An issue is listed as invalid while it and its case are active and one of them has invalid fields. A new issue waits
-- for whoever is changing its case, which cannot see it yet; later the change of the case waits for it.
create function issue_validity() returns trigger language plpgsql as $$
declare found cases;
begin
  if tg_op = 'INSERT' then
    select * into found from cases k where k.id = new."case" for no key update;
  else
    select * into found from cases k where k.id = new."case";
  end if;
  new.is_invalid := new.status = 1 and found.status = 1 and (new.invalid_fields <> '{}' or found.invalid_fields <> '{}');
  return new;
end $$;
create trigger issues_validity before insert or update of invalid_fields, status, "case" on issues
  for each row execute function issue_validity();

create function issues_validity_of_case() returns trigger language plpgsql as $$
begin
  update issues i set is_invalid = not i.is_invalid
  where i."case" = new.id
    and i.is_invalid <> (i.status = 1 and new.status = 1 and (i.invalid_fields <> '{}' or new.invalid_fields <> '{}'));
  return null;
end $$;
create trigger cases_validity after update of invalid_fields, status on cases for each row
  when (old.invalid_fields is distinct from new.invalid_fields or old.status is distinct from new.status)
  execute function issues_validity_of_case();

update issues i set is_invalid = true from cases k
  where k.id = i."case" and i.status = 1 and k.status = 1 and (i.invalid_fields <> '{}' or k.invalid_fields <> '{}');
update cases k set last_contact = t.last_contact
  from (select "case", max(coalesce(last_contact, start_date)) as last_contact from issues group by "case") t where t."case" = k.id;

drop index cases_listed;
create index cases_listed on cases (id)
  include (client, case_type, service, contract, status, close_date, touched_at, updated_at, last_contact);
create index cases_last_contact on cases (last_contact, id desc);
create index cases_last_contact_down on cases (last_contact desc nulls last, id desc);
create index issues_listed_invalid on issues (id) include ("case", service, contract, hub, advocate, created_by) where is_invalid;
drop index issues_invalid;
drop index cases_invalid;

-- The open cases of a type are few.
create index cases_open_of_type on cases (case_type) where status = 1 and (open_issues > 0 or issue_count = 0);
