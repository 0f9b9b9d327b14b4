-- kind: expand
-- The same NHS number on two records is a finding among the invalid cases of whoever sees both.
--
-- same_nhs_numbers: two clients with one NHS number, once in each direction, kept by a trigger in the transaction of the
-- change; not audited, because it follows from the clients. Seen with both clients only. Gone with either client, by a
-- purge or a merge; neither exported nor imported, because the trigger writes it. At most 20 others a client.
-- step
create table same_nhs_numbers (
  client integer not null references clients on delete cascade,
  other integer not null references clients on delete cascade,
  primary key (client, other),
  check (client <> other)
);
create index same_nhs_numbers_other on same_nhs_numbers (other);

-- The ten digits of an NHS number; null for one digit over and over, which is entered where a number is unknown.
create function nhs_digits(text) returns text language sql immutable parallel safe
return (select d from digits($1) d where d ~ '^[0-9]{10}$' and d !~ '^([0-9])\1+$');

create function note_same_nhs_number() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from same_nhs_numbers s where s.client = new.id or s.other = new.id;
  end if;
  insert into same_nhs_numbers (client, other)
  select p.client, p.other from (
    select c.id from clients c
    where array[digits(c.nhs_number)] && array[nhs_digits(new.nhs_number)] and c.id <> new.id order by c.id limit 20
  ) others, lateral (values (new.id, others.id), (others.id, new.id)) p(client, other)
  on conflict do nothing;
  return null;
end $$;
create trigger clients_same_nhs_number_added after insert on clients
  for each row when (new.nhs_number is not null) execute function note_same_nhs_number();
create trigger clients_same_nhs_number_changed after update of nhs_number on clients
  for each row when (old.nhs_number is distinct from new.nhs_number) execute function note_same_nhs_number();
-- step: batched clients
insert into same_nhs_numbers (client, other)
select c.id, o.id from clients c cross join lateral (
  select d.id from clients d
  where array[digits(d.nhs_number)] && array[nhs_digits(c.nhs_number)] and d.id <> c.id order by d.id limit 20
) o where c.id between $1 and $2 on conflict do nothing;
