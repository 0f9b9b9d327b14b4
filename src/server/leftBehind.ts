import { sql } from 'kysely'
import type { Call } from './call.ts'
import type { Row } from './db.ts'

interface Left {
  id: string
  label: string
  /** Address where it can be seen to. */
  to: string | null
}

/** What hangs on a person who goes: their open issues with the next steps due on those, and the people they lead. */
export async function leftBehind({ db }: Call, { id }: Row): Promise<Left[]> {
  const { rows } = await sql<{ issues: number; steps: number; people: number }>`select
      count(*) as issues, count(i.next_step) as steps,
      (select count(*) from staff s where s.line_manager = ${id} and s.status in (1, 4)) as people
    from issues i where i.advocate = ${id} and i.is_opened and i.status = 1`.execute(db)
  const [{ issues, steps, people }] = rows
  const all = [
    {
      id: 'issues',
      n: issues,
      label: `${many(issues, 'open issue')}${steps > 0 ? `, ${many(steps, 'next step')}` : ''}: hand over`,
      to: `/advocate/${id}/hand-over`,
    },
    {
      id: 'people',
      n: people,
      label:
        people === 1 ? '1 person has them as line manager' : `${people} people have them as line manager`,
      to: null,
    },
  ]
  return all.filter(({ n }) => n > 0).map(({ n: _, ...left }) => left)
}

function many(n: number, what: string): string {
  return n === 1 ? `1 ${what}` : `${n} ${what}s`
}
