-- kind: expand
-- Who covers for a person on leave: a name for those who assign work, no rights. It is seen and audited with the person's
-- record, written by the person, their managers and administrators, and stays until they plan their leave again.
-- step
alter table staff add column covered_by integer;
alter table staff add constraint staff_covered_by foreign key (covered_by) references staff on delete set null not valid;
-- 'on leave until 4 December 2026, Bob Bell covers'; null for somebody at work without planned leave. Days are those of the
-- service's time zone, which is that of every connection.
create function leave_words(status staff_status, leave_from date, leave_to date, cover text) returns text language sql stable parallel safe as $$
  select case when leave_to < coalesce(leave_from, leave_to) then null
    when status = 4 then concat('on leave', case when leave_to >= current_date then ' until ' || to_char(leave_to, 'FMDD FMMonth YYYY') end,
      case when coalesce(leave_to >= current_date, true) then ', ' || cover || ' covers' end)
    when leave_from > current_date then concat('on leave from ', to_char(leave_from, 'FMDD FMMonth YYYY'),
      ' to ' || to_char(leave_to, 'FMDD FMMonth YYYY'), ', ' || cover || ' covers')
  end
$$;
-- step
alter table staff validate constraint staff_covered_by;
