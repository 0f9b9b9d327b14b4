import { sql } from 'kysely'
import { pluralise } from '../../../contract/pluralise.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Staff } from '../../../contract/types/entities.ts'
import { maySignIn, whoMaySignIn } from '../../access/maySignIn.ts'
import type { Db } from '../../core/db.ts'

/** Numbers of what a person who was retired or suspended leaves behind; `people` have them as line manager. */
type LeftWork = Record<'issues' | 'tasks' | 'referrals' | 'drafts' | 'people', number>

const NOUNS: [keyof LeftWork, string][] = [
  ['issues', 'open issue'],
  ['tasks', 'task'],
  ['referrals', 'referral'],
  ['drafts', 'draft'],
]

/**
 * What is left of a person, in numbers and words, with the page for dealing with it; nothing while they may sign in.
 */
export async function leftWorkOf(db: Db, person: Staff) {
  if (maySignIn(person)) return { left_work: null, left_words: null, left_page: null }
  const { rows } = await sql<LeftWork>`select
      count(*) filter (where w.kind = 'issue')::int as issues, count(*) filter (where w.kind = 'task')::int as tasks,
      count(*) filter (where w.kind = 'referral')::int as referrals, count(*) filter (where w.kind = 'draft')::int as drafts,
      (select count(*)::int from staff s where s.line_manager = ${person.id} and ${whoMaySignIn('s')}) as people
    from open_work_rows w where w.staff = ${person.id}`.execute(db)
  const [left] = rows
  return { left_work: left, left_words: wordsOf(left, person), left_page: pageOf(left, person) }
}

function wordsOf(left: LeftWork, { status }: Staff): string | null {
  const parts = [
    ...NOUNS.filter(([key]) => left[key] > 0).map(([key, noun]) => pluralise(left[key], noun)),
    ...(left.people > 0
      ? [left.people === 1 ? '1 person whom they lead' : `${left.people} people whom they lead`]
      : []),
  ]
  if (parts.length === 0) return null
  const last = parts.pop()!
  const all = parts.length > 0 ? `${parts.join(', ')} and ${last}` : last
  return `${all} ${status === STATUS.retired ? 'left' : 'waiting'}`
}

function pageOf({ issues, tasks, referrals, drafts }: LeftWork, { id }: Staff): string | null {
  if (issues > 0) return `/advocate/${id}/hand-over`
  return tasks + referrals + drafts > 0 ? `/dashboard/left-work?staff=${id}` : null
}
