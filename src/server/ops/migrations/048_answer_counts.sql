-- kind: expand
-- How many cases and issues of a case type answer each field and chose each choice, so that the Module Constructor need
-- not read all answers each time. Triggers note in the transaction of a change by how much it changes the counts, in one
-- row of `answer_count_changes`; counts are those of `answer_counts` and of all changes together, so exact at any moment.
-- A job adds the changes to the counts, and counts the records anew that no count is of. No people are in these tables:
-- administrators see them with the case type, nothing of them is audited, purges and merges change them by the triggers,
-- an export has them, and who may write a record writes them. They have a row for each field and choice, and for each
-- change since the job ran.
-- step

-- The key of a record is '', of an answer 'field', of a choice 'field=value' or 'repeat.column=value'.
create table answer_counts (
  case_type integer not null references case_types on delete cascade,
  form text not null,
  key text not null,
  count integer not null,
  -- Of the key '': when all records were counted.
  counted_at timestamptz not null default now(),
  primary key (case_type, form, key)
);
create table answer_count_changes (
  case_type integer not null,
  form text not null,
  added text[] not null,
  removed text[] not null
);

-- The choices of a form that are counted: their names in keys, and where they are in answers. A jsonpath goes into lists
-- on its way. A publication with other choices begins an edition.
create table counted_choices (
  case_type integer not null references case_types on delete cascade,
  form text not null,
  names text[] not null,
  places jsonpath[] not null,
  edition integer not null default 1,
  primary key (case_type, form)
);

create function choice_names(meta jsonb) returns text[] language sql immutable parallel safe
return (
  with recursive fields (field, name) as (
    select f, f ->> 'name' from jsonb_array_elements(meta) g, jsonb_array_elements(g -> 'fields') f
    union all
    select f, name || '.' || (f ->> 'name') from fields, jsonb_array_elements(field -> 'fields') f
  )
  select array(select name from fields where field -> 'attrs' ? 'options' order by name)
);

create function choice_places(names text[]) returns jsonpath[] language sql immutable parallel safe
return array(
  select format('$."%s"[*]', replace(name, '.', '"[*]."'))::jsonpath
  from unnest(names) with ordinality as one (name, place) order by place
);

-- The keys of a record, each once; hidden answers count, because they may come back. In plpgsql, which plans it once for
-- a connection and not for each transaction.
create function answer_count_keys(names text[], places jsonpath[], answers jsonb, hidden_answers jsonb) returns text[]
language plpgsql immutable parallel safe as $$
declare
  record jsonb := answers;
begin
  if hidden_answers <> '{}' then
    record := answers || (select jsonb_object_agg(key, value -> 'value') from jsonb_each(hidden_answers));
  end if;
  return array(
    select ''
    union all
    select jsonb_object_keys(record)
    union all
    select distinct c.name || '=' || (v #>> '{}')
    from unnest(names, places) as c (name, place), jsonb_path_query(record, c.place) v where v <> 'null'
  );
end $$;

-- The lock lets a publication wait for whoever saves by the choices before it.
create function count_answer_changes() returns trigger language plpgsql as $$
declare
  form text := tg_argv[0];
  type integer;
  names text[];
  places jsonpath[];
  before text[] := '{}';
  after text[] := '{}';
begin
  if form = 'case' then
    type := case tg_op when 'DELETE' then old.case_type else new.case_type end;
  else
    select case_type into type from cases where id = case tg_op when 'DELETE' then old."case" else new."case" end;
  end if;
  perform from case_types t where t.id = type for share;
  select c.names, c.places into names, places from counted_choices c where c.case_type = type and c.form = tg_argv[0];
  if tg_op <> 'INSERT' then before := answer_count_keys(names, places, old.answers, old.hidden_answers); end if;
  if tg_op <> 'DELETE' then after := answer_count_keys(names, places, new.answers, new.hidden_answers); end if;
  insert into answer_count_changes
  select type, tg_argv[0], added, removed
  from (select array(select unnest(after) except select unnest(before)), array(select unnest(before) except select unnest(after)))
    as change (added, removed)
  where added <> '{}' or removed <> '{}';
  return null;
end $$;
create trigger cases_counted_new after insert or delete on cases
  for each row execute function count_answer_changes('case');
create trigger cases_counted after update of answers, hidden_answers on cases for each row
  when ((old.answers, old.hidden_answers) is distinct from (new.answers, new.hidden_answers))
  execute function count_answer_changes('case');
create trigger issues_counted_new after insert or delete on issues
  for each row execute function count_answer_changes('issue');
create trigger issues_counted after update of answers, hidden_answers on issues for each row
  when ((old.answers, old.hidden_answers) is distinct from (new.answers, new.hidden_answers))
  execute function count_answer_changes('issue');

-- A publication with other questions that have choices lets the records be counted anew.
create function count_choices() returns trigger language plpgsql as $$
declare
  changed text[];
begin
  with now (form, names) as (
    values ('case', choice_names(new.case_meta)), ('issue', choice_names(new.issue_meta))
  ),
  stored as (
    insert into counted_choices as c (case_type, form, names, places)
    select new.id, form, names, choice_places(names) from now
    on conflict (case_type, form) do update set names = excluded.names, places = excluded.places, edition = c.edition + 1
    where c.names <> excluded.names
    returning c.form
  )
  select array_agg(form) into changed from stored;
  delete from answer_counts where case_type = new.id and form = any(changed);
  return null;
end $$;
create trigger case_types_counted after insert or update of case_meta, issue_meta on case_types
  for each row execute function count_choices();
-- step: batched case_types
-- The trigger stores the choices of the forms that are there.
update case_types set case_meta = case_meta where id between $1 and $2;
