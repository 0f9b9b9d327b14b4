-- kind: expand
-- Numbers by which a client is searched, as their digits: people write them with blanks, dashes and brackets.

create function digits(text) returns text language sql immutable parallel safe as $$
  select nullif(regexp_replace(coalesce($1, ''), '\D', '', 'g'), '')
$$;
create index clients_nhs_digits on clients using gin ((array[digits(nhs_number)]));
create index clients_phone_digits on clients using gin ((array[digits(phone), digits(mobile)]));
