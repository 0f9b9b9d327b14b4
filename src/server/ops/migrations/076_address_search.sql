-- kind: expand
-- Addresses are searched by their words, as contacts are. An index that has them as answered only is made anew.

create or replace function searched_fields(meta jsonb) returns jsonb language sql immutable parallel safe
return (
  select coalesce(jsonb_object_agg(f ->> 'name', case
    when f ->> 'type' in ('yesno', 'select', 'multiselect') then 'choice'
    when f ->> 'type' in ('date', 'integer', 'scale', 'duration', 'decimal', 'money', 'year', 'month', 'time') then 'amount'
    when f ->> 'type' in ('text', 'textarea', 'phone', 'postcode', 'contact', 'uk_address') then 'text'
    else 'answered' end), '{}')
  from jsonb_array_elements(meta) g, jsonb_array_elements(g -> 'fields') f
  where f -> 'attrs' -> 'report' = 'true' and (f -> 'attrs' -> 'sensitive') is distinct from 'true'
);
