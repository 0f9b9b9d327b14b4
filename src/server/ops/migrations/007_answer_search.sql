-- kind: expand
-- What cases are searched by besides their columns: the answers to questions that are offered in reports and not
-- sensitive. Triggers write it in the transaction that saves an answer, so that it is found at once; a record that is
-- deleted takes its rows with it. A job indexes the records that are there already, so that this migration is short.

create function is_answered(answer jsonb) returns boolean language sql immutable parallel safe
return answer is not null and answer not in ('null', '""', '[]', '{}');

-- The fields of a form that are searched, by name, with what their answers are compared as.
create function searched_fields(meta jsonb) returns jsonb language sql immutable parallel safe
return (
  select coalesce(jsonb_object_agg(f ->> 'name', case
    when f ->> 'type' in ('yesno', 'select', 'multiselect') then 'choice'
    when f ->> 'type' in ('date', 'integer', 'duration') then 'amount'
    when f ->> 'type' in ('text', 'textarea', 'phone', 'postcode', 'contact') then 'text'
    else 'answered' end), '{}')
  from jsonb_array_elements(meta) g, jsonb_array_elements(g -> 'fields') f
  where f -> 'attrs' -> 'report' = 'true' and (f -> 'attrs' -> 'sensitive') is distinct from 'true'
);

-- An answer, or that there is one (answer: null), as one number. md5 gives the same on every release of PostgreSQL.
create function answer_key(case_type integer, form text, field text, answer text) returns bigint
language sql immutable parallel safe
return ('x' || left(md5(case_type || '.' || form || '.' || field || coalesce('=' || answer, '')), 16))::bit(64)::bigint;

create function answer_keys(case_type integer, form text, fields jsonb, answers jsonb) returns bigint[]
language sql immutable parallel safe
return (
  select coalesce(array_agg(distinct answer_key(case_type, form, f.key, v.answer)), '{}')
  from jsonb_each_text(fields) f, lateral (
    select null as answer
    union all
    select one #>> '{}' from jsonb_array_elements(case jsonb_typeof(answers -> f.key)
      when 'array' then answers -> f.key else jsonb_build_array(answers -> f.key) end) one
    where f.value = 'choice'
  ) v
  where is_answered(answers -> f.key)
);

-- A text or the parts of a contact as they are searched; a number or a postcode also without the blanks in it.
create function answer_text(answer jsonb) returns text language sql immutable parallel safe
return (
  select string_agg(public.searchable(part) || case when part ~ '^[A-Z0-9 ()./+-]*[0-9][A-Z0-9 ()./+-]*$' and part ~ '\W'
    then ' ' || lower(regexp_replace(part, '[^A-Z0-9]', '', 'g')) else '' end, ' ')
  from (
    select answer #>> '{}' as part where jsonb_typeof(answer) = 'string'
    union all
    select value from jsonb_each_text(case jsonb_typeof(answer) when 'object' then answer else '{}' end)
  ) parts
);

-- A number as it is, a day as yyyymmdd.
create function answer_amount(answer jsonb) returns bigint language sql immutable parallel safe
return case
  when jsonb_typeof(answer) = 'number' then trunc((answer #>> '{}')::numeric)::bigint
  when answer #>> '{}' ~ '^\d{4}-\d\d-\d\d' then replace(left(answer #>> '{}', 10), '-', '')::bigint
end;

create table answer_index (
  "case" integer not null references cases on delete cascade,
  issue integer references issues on delete cascade,
  case_type integer not null,
  keys bigint[] not null
);
create table answer_values (
  "case" integer not null references cases on delete cascade,
  issue integer references issues on delete cascade,
  case_type integer not null,
  field text not null,
  amount bigint,
  text text
);

create function add_answer_values("case" integer, issue integer, case_type integer, fields jsonb, answers jsonb)
returns void language sql begin atomic
  insert into answer_values ("case", issue, case_type, field, amount, text)
  select $1, $2, $3, f.key, case f.value when 'amount' then answer_amount($5 -> f.key) end,
    case f.value when 'text' then answer_text($5 -> f.key) end
  from jsonb_each_text($4) f
  where f.value in ('amount', 'text') and is_answered($5 -> f.key);
end;

-- Which fields are searched, and of which all records are indexed already; of others the answers themselves are read.
alter table case_types
  add case_searched jsonb generated always as (searched_fields(case_meta)) stored,
  add issue_searched jsonb generated always as (searched_fields(issue_meta)) stored,
  add case_indexed jsonb not null default '{}',
  add issue_indexed jsonb not null default '{}';

create unique index answer_index_record on answer_index ("case", issue) nulls not distinct;
create index answer_index_issue on answer_index (issue) where issue is not null;
create index answer_index_case_type on answer_index (case_type) include ("case", issue);
create index answer_index_keys on answer_index using gin (keys);
create index answer_values_record on answer_values ("case", issue);
create index answer_values_issue on answer_values (issue) where issue is not null;
create index answer_values_amount on answer_values (case_type, field, amount) include ("case", issue) where amount is not null;
create index answer_values_text on answer_values using gin (text gin_trgm_ops);

create function index_answers("case" integer, issue integer, case_type integer, form text, fields jsonb, answers jsonb)
returns void language sql begin atomic
  delete from answer_index x where x."case" = $1 and x.issue is not distinct from $2;
  delete from answer_values v where v."case" = $1 and v.issue is not distinct from $2;
  insert into answer_index values ($1, $2, $3, answer_keys($3, $4, $5, $6));
  select add_answer_values($1, $2, $3, $5, $6);
end;

-- The lock lets a publication wait for whoever saves by the form before it, so that it misses nobody's answers.
create function index_case_answers() returns trigger language plpgsql as $$
declare fields jsonb;
begin
  select t.case_searched into fields from case_types t where t.id = new.case_type for share;
  perform index_answers(new.id, null, new.case_type, 'case', fields, new.answers);
  return null;
end $$;
create trigger cases_index_new after insert on cases for each row execute function index_case_answers();
create trigger cases_index after update of answers on cases for each row
  when (old.answers is distinct from new.answers) execute function index_case_answers();

create function index_issue_answers() returns trigger language plpgsql as $$
declare fields jsonb; type integer;
begin
  select t.issue_searched, t.id into fields, type from cases k join case_types t on t.id = k.case_type
    where k.id = new."case" for share of t;
  perform index_answers(new."case", new.id, type, 'issue', fields, new.answers);
  return null;
end $$;
create trigger issues_index_new after insert on issues for each row execute function index_issue_answers();
create trigger issues_index after update of answers on issues for each row
  when (old.answers is distinct from new.answers) execute function index_issue_answers();

-- What stays indexed of a form that is published: fields that are compared as before. '' says that others left, whose
-- answers are to be deleted.
create function still_indexed(indexed jsonb, searched jsonb) returns jsonb language sql immutable parallel safe
return (
  select coalesce(jsonb_object_agg(key, value) filter (where searched -> key = value), '{}')
    || case when bool_or((searched -> key) is distinct from value) then '{"": "left"}'::jsonb else '{}' end
  from jsonb_each(indexed)
);

-- A publication takes fields from those that are indexed; a job adds them again. Where there is no case, all are at once.
create function keep_indexed() returns trigger language plpgsql as $$
declare has_cases boolean := exists (select from cases k where k.case_type = new.id);
begin
  new.case_indexed := case when has_cases then still_indexed(new.case_indexed, searched_fields(new.case_meta))
    else searched_fields(new.case_meta) end;
  new.issue_indexed := case when has_cases then still_indexed(new.issue_indexed, searched_fields(new.issue_meta))
    else searched_fields(new.issue_meta) end;
  return new;
end $$;
create trigger case_types_indexed before insert or update on case_types for each row execute function keep_indexed();

-- Clients are searched by a part of a postcode and by their day of birth.
create index clients_postcode_upper on clients (upper(postcode) text_pattern_ops);
create index clients_dob on clients (dob);

-- Actions are searched by their day and their type, newest first.
create index actions_done_on on actions (done_on desc, id desc) include (created_by, issue, type);
create index actions_type on actions (type, done_on desc, id desc) include (created_by, issue);
-- The scope of a single issue, and the ids of the issues that somebody sees, are found off indexes alone.
create index issues_scope on issues (id) include ("case", client, created_by, advocate, service, hub, contract);
drop index issues_hub;
create index issues_hub on issues (hub, "case") include (id);
drop index issues_without_advocate;
create index issues_without_advocate on issues (service) include ("case", client, id) where advocate is null;
drop index issues_contract;
create index issues_contract on issues (contract, "case") include (id);
