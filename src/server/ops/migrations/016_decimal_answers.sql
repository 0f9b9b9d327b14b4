-- kind: expand
-- Answers that are decimal numbers, amounts of money, years, months and times are searched as amounts, every digit of them.

create or replace function searched_fields(meta jsonb) returns jsonb language sql immutable parallel safe
return (
  select coalesce(jsonb_object_agg(f ->> 'name', case
    when f ->> 'type' in ('yesno', 'select', 'multiselect') then 'choice'
    when f ->> 'type' in ('date', 'integer', 'duration', 'decimal', 'money', 'year', 'month', 'time') then 'amount'
    when f ->> 'type' in ('text', 'textarea', 'phone', 'postcode', 'contact') then 'text'
    else 'answered' end), '{}')
  from jsonb_array_elements(meta) g, jsonb_array_elements(g -> 'fields') f
  where f -> 'attrs' -> 'report' = 'true' and (f -> 'attrs' -> 'sensitive') is distinct from 'true'
);

-- What calls answer_amount is made again after it, because its result is of another type.
drop function index_answers(integer, integer, integer, text, jsonb, jsonb);
drop function add_answer_values(integer, integer, integer, jsonb, jsonb);
drop function answer_amount(jsonb);

alter table answer_values alter column amount type numeric;

-- A number as it is, a day as yyyymmdd, a month as yyyymm, a time as hhmm.
create function answer_amount(answer jsonb) returns numeric language sql immutable parallel safe
return case
  when answer #>> '{}' ~ '^-?\d{1,30}(\.\d{1,30})?$' then (answer #>> '{}')::numeric
  when answer #>> '{}' ~ '^\d{4}-\d\d-\d\d' then replace(left(answer #>> '{}', 10), '-', '')::numeric
  when answer #>> '{}' ~ '^\d{4}-\d\d$' then replace(answer #>> '{}', '-', '')::numeric
  when answer #>> '{}' ~ '^\d\d:\d\d$' then replace(answer #>> '{}', ':', '')::numeric
end;

create function add_answer_values("case" integer, issue integer, case_type integer, fields jsonb, answers jsonb)
returns void language sql begin atomic
  insert into answer_values ("case", issue, case_type, field, amount, text)
  select $1, $2, $3, f.key, case f.value when 'amount' then answer_amount($5 -> f.key) end,
    case f.value when 'text' then answer_text($5 -> f.key) end
  from jsonb_each_text($4) f
  where f.value in ('amount', 'text') and is_answered($5 -> f.key);
end;

create function index_answers("case" integer, issue integer, case_type integer, form text, fields jsonb, answers jsonb)
returns void language sql begin atomic
  delete from answer_index x where x."case" = $1 and x.issue is not distinct from $2;
  delete from answer_values v where v."case" = $1 and v.issue is not distinct from $2;
  insert into answer_index values ($1, $2, $3, answer_keys($3, $4, $5, $6));
  select add_answer_values($1, $2, $3, $5, $6);
end;
