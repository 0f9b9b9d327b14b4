-- kind: expand
-- That a case was opened is no contact. What "No contact for 28 days" counts from, the last contact or else the start, has
-- a column of its own.

alter table cases add quiet_since date;

create or replace function case_totals() returns trigger language plpgsql as $$
begin
  update cases set
    issue_count = t.n,
    open_issues = t.open,
    close_date = case when t.n > 0 and t.open = 0 then t.closed end,
    last_contact = t.last_contact,
    quiet_since = t.quiet_since
  from (
    select count(*) n, count(*) filter (where is_opened and status = 1) open,
      coalesce(max(close_date), current_date) closed, max(last_contact) last_contact,
      max(coalesce(last_contact, start_date)) quiet_since
    from issues where "case" = coalesce(new."case", old."case")
  ) t
  where id = coalesce(new."case", old."case");
  return null;
end $$;

update cases k set last_contact = t.last_contact, quiet_since = t.quiet_since
  from (
    select "case", max(last_contact) as last_contact, max(coalesce(last_contact, start_date)) as quiet_since
    from issues group by "case"
  ) t where t."case" = k.id;

drop index cases_listed;
create index cases_listed on cases (id)
  include (client, case_type, service, contract, status, close_date, touched_at, updated_at, last_contact, quiet_since);
create index cases_quiet_since on cases (quiet_since, id desc);
