import { sql } from 'kysely'
import { ROLE } from '../../../contract/roles.ts'
import { asReader } from '../../access/principals.ts'
import { visibleTo } from '../../access/scope.ts'
import { callersWho } from '../../access/session.ts'
import type { Call, Caller, Handler } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'
import { today } from '../../core/today.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { addRecords } from '../../records/verbs/addRecords.ts'
import { fetch, fetchAny } from '../../records/verbs/read.ts'
import { notifyOfRecords } from '../../records/workNotices/notifyOfChanges.ts'
import { knownElsewhere } from './knownElsewhere.ts'

/** Maximum number of questions of a person within a day. */
const MAX_A_DAY = 20
const ANSWERS = { same: 'It is the same person', other: 'It is another person' }

/**
 * Asks somebody who sees a client whether it is a person. Throws the same 404 for a client of another name or date of
 * birth as for an unknown id, so that no id is confirmed.
 */
export const ask: Handler = async (call) => {
  const { contract, db, me, params } = call
  const person = await validateBody(call, contract.bodies.askAboutClient, call.body)
  const client = Number(params.id)
  if (!(await knownElsewhere(call, person)).includes(client)) throw problem('notFound')
  const open = await sql<{ id: number; today: number }>`select
      (select q.id from client_questions q where q.client = ${client} and q.asked_by = ${me.id} and q.answer is null) as id,
      (select count(*)::int from client_questions q where q.asked_by = ${me.id} and q.asked_at > now() - interval '1 day') as today`.execute(
    db,
  )
  const [earlier] = open.rows
  if (earlier.id) return fetchAny(call, contract.entities.clientQuestion, earlier.id)
  if (earlier.today >= MAX_A_DAY)
    throw problem('tooManyRequests', { message: `You have asked ${MAX_A_DAY} times today` })
  const assignee = await whomToAsk(call, client)
  if (assignee === undefined) throw problem('notFound')
  const title = `Is client ${client} the person whom ${me.first_name} ${me.last_name} is entering? Answer in Questions about people`
  const task = await addTask(call, title, assignee)
  const { rows } = await sql<{ id: number }>`insert into client_questions (client, asked_by, asked_of, task)
    values (${client}, ${me.id}, ${assignee}, ${task}) returning id`.execute(db)
  await writeAuditEvent(call, { action: 'ask about', entity: 'client', record: client })
  call.reply.code(201)
  return fetchAny(call, contract.entities.clientQuestion, rows[0].id)
}

/** Answers a question: its task is done, and the one who asked gets the answer as a task, which reaches their bell. */
export const answer: Handler = async (call) => {
  const { contract, db, me, params } = call
  const { clientQuestion } = contract.entities
  const { answer: verdict, words = null } = await validateBody(
    call,
    contract.bodies.answerAboutClient,
    call.body,
  )
  const question = await fetch(call, clientQuestion, params.id)
  if (question.asked_of !== me.id) throw problem('forbidden')
  const { rows } = await sql<{ task: number | null }>`update client_questions
    set answer = ${verdict}, words = ${words}, answered_at = now(), version = version + 1
    where id = ${question.id} and answer is null returning task`.execute(db)
  if (rows.length === 0) return fetch(call, clientQuestion, params.id)
  await sql`update tasks set done_at = now(), version = version + 1 where id = ${rows[0].task} and done_at is null`.execute(
    db,
  )
  const sentence = `${ANSWERS[verdict as keyof typeof ANSWERS]} as client ${question.client}, says ${me.first_name} ${me.last_name}`
  // The words may be too long for a title.
  const more = words ? '. What to do is in Questions about people' : ''
  await addTask(call, `${sentence}${more}`, question.asked_by)
  return fetch(call, clientQuestion, params.id)
}

async function addTask(call: Call, title: string, assignee: number): Promise<number> {
  const due = today(call.settings.TIME_ZONE)
  const [task] = await addRecords(call, 'task', [
    { title: title.slice(0, 300), due, assignee, created_by: call.me.id },
  ])
  await notifyOfRecords({ ...call, by: call.me.id }, 'task', [task])
  return task
}

/**
 * Who is asked about a client, of those who see it: a manager of the hub that has its latest open issue, else the
 * manager of its advocate, else the advocate, else an administrator.
 */
async function whomToAsk({ db, me, settings }: Call, client: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`with work as (
      select i.hub, i.advocate from issues i where i.client = ${client} order by i.is_opened desc, i.id desc limit 1
    ), ranked as (
      select s.id, 1 as rank from staff s join work on work.hub = s.hub where ${ROLE.hubManager} = any(s.groups)
      union all select s.line_manager, 2 from staff s join work on work.advocate = s.id
      union all select work.advocate, 3 from work
      union all select s.id, 4 from staff s where ${ROLE.systemAdministrator} = any(s.groups)
    )
    select r.id from ranked r where r.id <> ${me.id} group by r.id order by min(r.rank), r.id`.execute(db)
  const ids = rows.map(({ id }) => id)
  const people = new Map((await callersWho(db, [sql`a.id = any(${ids}::int[])`])).map((one) => [one.id, one]))
  for (const id of ids) {
    const person = people.get(id)
    if (person && (await isVisible(db, asReader(person, settings), client))) return id
  }
  return undefined
}

async function isVisible(db: Db, person: Caller, client: number): Promise<boolean> {
  const { rows } = await sql`select from clients c
    where c.id = ${client} and ${visibleTo('client', person, 'c')}`.execute(db)
  return rows.length > 0
}
