-- Questions whether a client is the person that somebody enters, with the names of both people.
select q.id, q.version, q.client, q.asked_by, trim(b.first_name || ' ' || b.last_name) as asked_by_name,
  q.asked_of, trim(o.first_name || ' ' || o.last_name) as asked_of_name, q.asked_at, q.answer, q.words, q.answered_at,
  b.name_key as asked_by_name_key, o.name_key as asked_of_name_key
from client_questions q join staff b on b.id = q.asked_by join staff o on o.id = q.asked_of
