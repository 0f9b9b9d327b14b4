-- kind: expand
-- What names, numbers and postcodes are searched, compared and sorted by. `searchable`, of which there are generated
-- columns, knew neither invisible characters nor the case of other alphabets; lists were sorted by the bytes of names.
-- The contract has the same functions (src/contract/compareKey.ts), and a test compares the two. No collation of ICU:
-- these differ between servers, and an index on one breaks when the library changes.
-- step

-- The form in which texts are searched and compared: without case, accents, apostrophes, hyphens and invisible
-- characters. lower() of collation C knows a to z only, on every server; other letters are listed.
create function text_key(text) returns text language sql immutable parallel safe as $$
  select trim(both ' ' from lower(
    replace(replace(replace(replace(replace(replace(replace(replace(
      translate(
        regexp_replace(
          regexp_replace(normalize(coalesce($1, ''), NFD), '[\u0300-\u036F\uFE00-\uFE0F\u0001-\u0008\u000E-\u001F\u007F-\u0084\u0086-\u009F\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0\uFFF9-\uFFFB''`\u00B4\u2018\u2019\u201B\u02B9\u02BB\u02BC\u02BD\u2032\u002D\u2010-\u2015\u2212]+', '', 'g'),
          '[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+', ' ', 'g'),
        'ŁłØøĐđÐðĦħŦŧıŊŋſƏəƁɓƊɗƘƙƳƴƐɛƆɔĸ' ||
          'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς' ||
          'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐҒҚҢӨҮҰҺӘ' ||
          'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
        'llooddddhhttinnseebbddkkyyeeook' ||
          'αβγδεζηθικλμνξοπρστυφχψωσ' ||
          'абвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґғқңөүұһә' ||
          'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ'
      ),
      'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'þ', 'th'), 'Þ', 'th')
    collate "C"))
$$;

-- What people are sorted by, and recognised as the same: surname, then first name.
create function name_key(first_name text, last_name text) returns text language sql immutable parallel safe
return text_key(last_name) || chr(1) || text_key(first_name);

-- What a name is found by: its words and, if it has several or a mark in it, also all in one: 'o brien obrien'.
create function search_key(name text) returns text language sql immutable parallel safe
return (
  select case when words = whole then words else words || ' ' || whole end
  from (select text_key(regexp_replace(name, '[''`\u00B4\u2018\u2019\u201B\u02B9\u02BB\u02BC\u02BD\u2032\u002D\u2010-\u2015\u2212]+', ' ', 'g')) as words,
    replace(text_key(name), ' ', '') as whole) k
);

-- The national digits of a telephone number without its extension: of '+44 (0)1632 960001 ext 5' 1632960001.
create function phone_key(text) returns text language sql immutable parallel safe as $$
  select nullif(case when length(d) >= 11 and left(d, 2) = '44' then ltrim(substr(d, 3), '0') else d end, '')
  from (
    select ltrim(regexp_replace(substring(
      regexp_replace(regexp_replace(regexp_replace(coalesce($1, ''), '[\u0001-\u0008\u000E-\u001F\u007F-\u0084\u0086-\u009F\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]+', '', 'g'),
        '[\u002D\u2010-\u2015\u2212]', '-', 'g'), '[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+', ' ', 'g')
      from '^[+0-9 ()./-]*'), '[^0-9]', '', 'g'), '0') as d
  ) digits
$$;

-- A postcode or reference number as capitals and digits only: CB74AE.
create function code_key(text) returns text language sql immutable parallel safe
return nullif(upper(regexp_replace(text_key($1), '[^a-z0-9]', '', 'g') collate "C"), '');

alter table clients add name_key text collate "C", add search_key text collate "C";
alter table staff add name_key text collate "C", add search_key text collate "C";

create function client_keys() returns trigger language plpgsql as $$
begin
  new.name_key := name_key(new.first_name, new.last_name);
  new.search_key := concat_ws(' ', search_key(new.first_name), search_key(new.last_name),
    nullif(search_key(new.known_as), ''));
  return new;
end $$;
create trigger clients_keys before insert or update of first_name, last_name, known_as on clients
  for each row execute function client_keys();

create function staff_keys() returns trigger language plpgsql as $$
begin
  new.name_key := name_key(new.first_name, new.last_name);
  new.search_key := concat_ws(' ', search_key(new.first_name), search_key(new.last_name), search_key(new.username));
  return new;
end $$;
create trigger staff_keys before insert or update of first_name, last_name, username on staff
  for each row execute function staff_keys();
-- step: batched clients
update clients set name_key = name_key(first_name, last_name),
  search_key = concat_ws(' ', search_key(first_name), search_key(last_name), nullif(search_key(known_as), ''))
where id between $1 and $2;
-- step: batched staff
update staff set name_key = name_key(first_name, last_name),
  search_key = concat_ws(' ', search_key(first_name), search_key(last_name), search_key(username))
where id between $1 and $2;
-- step: concurrently
create index concurrently clients_name_key on clients (name_key, id);
-- step: concurrently
create index concurrently clients_search_key on clients using gin (search_key gin_trgm_ops);
-- step: concurrently
create index concurrently clients_search_key_prefix on clients (search_key);
-- step: concurrently
create index concurrently clients_known_keys on clients (id) include (search_key) where id > 0;
-- step: concurrently
create index concurrently clients_phone_keys on clients using gin ((array[phone_key(phone), phone_key(mobile)]));
-- step: concurrently
create index concurrently clients_code_key on clients ((code_key(postcode) collate "C"));
-- step: concurrently
create index concurrently staff_name_key on staff (name_key, id);
-- step: concurrently
create index concurrently staff_search_key on staff using gin (search_key gin_trgm_ops);
