-- kind: expand
-- Answers are found by the same keys as clients (032): a telephone number by its national digits, a text without its
-- invisible characters. A job indexes the texts again; until then their answers are read one by one.
-- step

-- A text or the parts of a contact as they are searched; what is short also all in one, so without the blanks of a
-- postcode, and as a telephone number.
create or replace function answer_text(answer jsonb) returns text language sql immutable parallel safe
return (
  select string_agg(case when length(part) > 100 then text_key(part)
    else concat_ws(' ', search_key(part), case when length(phone_key(part)) >= 5 then phone_key(part) end) end, ' ')
  from (
    select answer #>> '{}' as part where jsonb_typeof(answer) = 'string'
    union all
    select value from jsonb_each_text(case jsonb_typeof(answer) when 'object' then answer else '{}' end)
  ) parts
);
-- step: batched case_types
update case_types set
  case_indexed = coalesce((select jsonb_object_agg(key, value) from jsonb_each(case_indexed) where value <> '"text"'), '{}'),
  issue_indexed = coalesce((select jsonb_object_agg(key, value) from jsonb_each(issue_indexed) where value <> '"text"'), '{}')
where id between $1 and $2;
