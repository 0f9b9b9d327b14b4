import { createHash } from 'node:crypto'

const IDLE_SECONDS = 672
const ACTIVE = [1, 4]

const SESSION = `
  with recursive live as (
    select * from session where token_hash = $1 and expires_at > now() and seen_at > now() - make_interval(secs => $2)
  ), seen as (
    update session s set seen_at = now() from live
    where s.token_hash = live.token_hash and live.seen_at < now() - interval '20 seconds'
  ), team as (
    select a.id from staff a join live on a.id = live.staff
    union select b.id from staff b join team on b.line_manager = team.id
  )
  select a.id, a.username, a.first_name, a.last_name, a.email, a.groups, a.status, a.hub, a.services, a.contracts,
    array(select id from team) as team
  from live join staff a on a.id = live.staff where a.status = any($3::int[])`

/** The person of an Authorization header ('Token x'). */
export async function authenticate(pool, header) {
  const hash = createHash('sha256').update(header.slice('Token '.length)).digest()
  const { rows } = await pool.query(SESSION, [hash, IDLE_SECONDS, ACTIVE])
  if (!rows[0]) throw new Error('no session')
  return rows[0]
}
