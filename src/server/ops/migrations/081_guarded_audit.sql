-- kind: expand
-- What the functions of the owner do to the audit no longer depends on what their caller says or has prepared: they find
-- tables of the product alone, not temporary ones of the caller's, which would hide the trace; they are for roles that write
-- the audit; they remove events only of records that are gone, by the clock of the database, and move events only to where
-- their record is.
-- step
create function refuse_audit_reader() returns void language plpgsql as $$
begin
  if not has_table_privilege(session_user, 'audit', 'insert') then
    raise exception 'only a role that writes the audit may do this' using errcode = '42501';
  end if;
end $$;

-- Events of records that are purged, by their ids. Records with a place below a client are purged with it, by the next one.
create or replace function purge_audit_events(of_entity text, of_records integer[]) returns void
language plpgsql security definer set search_path from current as $$
declare
  of_table text := case of_entity
    when 'file' then 'files' when 'draft' then 'drafts' when 'savedView' then 'saved_views'
    when 'referralRequest' then 'referral_requests' when 'referralMessage' then 'referral_messages'
    when 'referralComment' then 'referral_comments'
  end;
  gone bigint;
begin
  perform refuse_audit_reader();
  if of_table is null then raise exception 'events of % are not purged by themselves', of_entity; end if;
  execute format('delete from audit a where a.entity = $1 and a.record = any($2)
    and not exists (select from %I r where r.id = a.record)', of_table) using of_entity, of_records;
  get diagnostics gone = row_count;
  perform note_audit_removal('purge of ' || of_entity, gone);
end $$;

-- Events of everything below clients, cases or issues that are purged, also under numbers that were merged into them.
create or replace function purge_audit_events_below(level text, numbers integer[]) returns void
language plpgsql security definer set search_path from current as $$
declare
  purged integer[];
  gone bigint;
begin
  perform refuse_audit_reader();
  select array_agg(n) into purged from unnest(numbers) n where case level
    when 'client' then not exists (select from clients where id = n)
    when 'case' then not exists (select from cases where id = n)
    when 'issue' then not exists (select from issues where id = n)
  end and not exists (select from merges m where m.entity = level and m.old = n);
  delete from audit where case level when 'client' then client when 'case' then "case" when 'issue' then issue end
    = any(purged);
  get diagnostics gone = row_count;
  perform note_audit_removal('purge below ' || level, gone);
end $$;

create or replace function clear_searches(older_than_days integer) returns void
language plpgsql security definer set search_path from current as $$
declare
  cleared bigint;
begin
  perform refuse_audit_reader();
  if older_than_days < 0 then raise exception 'searches to come are not cleared'; end if;
  update audit set changes = null
    where action = 'search' and changes is not null and at < now() - make_interval(days => older_than_days);
  get diagnostics cleared = row_count;
  perform note_audit_removal('texts of old searches', cleared);
end $$;

drop function drop_audit_years(integer, timestamptz);
create function drop_audit_years(years integer) returns table (name text, until timestamptz)
language plpgsql security definer set search_path from current as $$
declare
  gone bigint;
begin
  perform refuse_audit_reader();
  if years < 1 then raise exception 'the audit is kept for a year at least'; end if;
  for name, until in select p.name, p.until from audit_partitions() p
    where p.until <= now() - make_interval(years => years) order by p.until
  loop
    execute format('select count(*) from %I', name) into gone;
    execute format('drop table if exists %I', name);
    perform note_audit_removal(format('years of %s and before', extract(year from until - interval '1 day')), gone);
    return next;
  end loop;
end $$;

-- Events of an entry that was moved to another issue go where it is now; that of the move away stays.
drop function place_audit_events(text, integer, integer, integer, integer);
create function place_audit_events(of_entity text, of_record integer) returns void
language plpgsql security definer set search_path from current as $$
declare
  to_client integer;
  to_case integer;
  to_issue integer;
begin
  perform refuse_audit_reader();
  case of_entity
    when 'action' then select issue into to_issue from actions where id = of_record;
    when 'task' then select issue into to_issue from tasks where id = of_record;
    when 'issueDocument' then select issue into to_issue from issue_documents where id = of_record;
    when 'signpost' then select client, "case" into to_client, to_case from signposts where id = of_record;
    else raise exception 'events of % are not moved', of_entity;
  end case;
  if to_issue is not null then
    select i."case", c.client into to_case, to_client from issues i join cases c on c.id = i."case" where i.id = to_issue;
  end if;
  if to_client is null then raise exception '% % is not on an issue or a client', of_entity, of_record; end if;
  update audit set client = to_client, "case" = to_case, issue = to_issue
    where entity = of_entity and record = of_record and action <> 'move away';
end $$;

-- For each function with the rights of its owner: tables of the product alone, temporary ones last. Without being named they
-- would come first.
create function put_temporary_tables_last() returns void language plpgsql as $$
declare
  definer regprocedure;
  home regnamespace := (select relnamespace from pg_class where oid = 'audit'::regclass);
begin
  for definer in select p.oid from pg_proc p where p.prosecdef and p.pronamespace = home
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('alter function %s set search_path = %s, pg_temp', definer, home);
  end loop;
end $$;
-- step
select put_temporary_tables_last();
