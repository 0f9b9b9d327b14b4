-- kind: expand
-- Who may be the same person: people are found by how their names sound, and pairs that a job finds wait for somebody.
--
-- alike_pairs: two clients who are likely one person, written by the nightly job alone, which deletes what is no longer
-- alike; not audited, because it follows from the clients. Administrators see all rows. Gone with either client, by a
-- purge or a merge; neither exported nor imported, because the job finds them again. At most 20 a client and 5,000 in all.
-- step
create extension if not exists fuzzystrmatch;
-- step
-- Loads pg_trgm: until then a role that is no superuser may not give a function one of its settings.
select word_similarity('a', 'a');

-- How the words of a search key sound, for those of plain letters; others are found by their trigrams.
create function name_sounds(search_key text) returns text[] language sql immutable parallel safe
return (
  select coalesce(array_agg(distinct sound), '{}')
  from unnest(string_to_array(search_key, ' ')) as w(word),
    lateral (values (dmetaphone(word)), (dmetaphone_alt(word))) as s(sound)
  where word ~ '^[a-z]+$' and sound <> ''
);

-- The clients with a name that has most trigrams of one name, the most alike first; another name of theirs sounds like one
-- of some sounds, if there are any. The threshold holds within the function.
create function clients_named_alike(name text, sounds text[], most integer) returns setof integer language sql stable
set pg_trgm.word_similarity_threshold = 0.45 as $$
  select c.id from clients c where $1 <% c.search_key and name_sounds(c.search_key) && $2
  order by word_similarity($1, c.search_key) desc, c.id limit $3
$$;

-- The same by trigrams alone, for names that have no sounds.
create function clients_spelled_alike(name text, most integer) returns setof integer language sql stable
set pg_trgm.word_similarity_threshold = 0.45 as $$
  select c.id from clients c where $1 <% c.search_key order by word_similarity($1, c.search_key) desc, c.id limit $2
$$;

create table alike_pairs (
  id integer generated always as identity primary key,
  client integer not null references clients on delete cascade,
  other integer not null references clients on delete cascade,
  score double precision not null,
  certainty text not null check (certainty in ('certain', 'likely')),
  reasons text[] not null,
  found_at timestamptz not null default now(),
  unique (client, other),
  check (client < other)
);
create index alike_pairs_other on alike_pairs (other);
create index alike_pairs_score on alike_pairs (score desc, id);
-- step: concurrently
create index concurrently clients_name_sounds on clients using gin (name_sounds(search_key), search_key gin_trgm_ops);
-- step: concurrently
create index concurrently clients_address on clients using gin (text_key(address) gin_trgm_ops);
