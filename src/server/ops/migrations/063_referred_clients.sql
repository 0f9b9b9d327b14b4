-- kind: expand
-- People of the hub that a referral was sent to read its client, and no case of others, until it is decided: a source of
-- the rows of who may see what. Referrals from outside have no client.
-- step
create or replace function principal(kind text, id integer) returns bigint language sql immutable parallel safe as $$
  select case kind when 'advocate' then 1 when 'creator' then 2 when 'hub' then 3 when 'contract' then 4 when 'unallocated' then 5
      when 'group' then 7 when 'referred' then 8 end
    * 10000000000 + id
$$;

-- New, or waiting for more information.
create function is_undecided(referral_status integer) returns boolean language sql immutable parallel safe as $$
  select referral_status in (1, 4)
$$;

create or replace function access_sources(clients integer[]) returns table (principal bigint, client integer, "case" integer)
language sql stable as $$
  select p, i.client, i."case" from issues i, unnest(issue_principals(i)) p where i.client = any($1)
  union select principal('creator', k.created_by), k.client, k.id from cases k where k.client = any($1) and k.created_by is not null
  union select principal('creator', c.created_by), c.id, null from clients c where c.id = any($1) and c.created_by is not null
  union select principal('group', g), s.client, s."case" from automation_states s, unnest(s.groups) g where s.client = any($1)
  union select principal('referred', q.hub), c.id, null from referral_requests q join clients c on c.id = q.from_client
    where c.id = any($1) and is_undecided(q.status)
$$;

create function refresh_access_of_referrals() returns trigger language plpgsql as $$
begin
  perform refresh_access(array(select distinct client from
    (select old.from_client where tg_op <> 'INSERT' union select new.from_client where tg_op <> 'DELETE') changed (client)
    where client is not null));
  return null;
end $$;
create trigger referral_requests_access_new after insert on referral_requests for each row
  when (new.from_client is not null) execute function refresh_access_of_referrals();
create trigger referral_requests_access after update on referral_requests for each row
  when ((old.hub, old.from_client, is_undecided(old.status)) is distinct from (new.hub, new.from_client, is_undecided(new.status)))
  execute function refresh_access_of_referrals();
create trigger referral_requests_access_gone after delete on referral_requests for each row
  when (old.from_client is not null) execute function refresh_access_of_referrals();
-- step: batched referral_requests
select refresh_access(array(select distinct from_client from referral_requests
  where id between $1 and $2 and from_client is not null and is_undecided(status)));
