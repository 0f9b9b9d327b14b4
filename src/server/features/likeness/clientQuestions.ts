import { sql } from 'kysely'
import { ROLE } from '../../../contract/roles.ts'
import type { Call, Handler } from '../../core/call.ts'
import type { Db } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'
import { today } from '../../core/today.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { addRecords } from '../../records/verbs/addRecords.ts'
import { fetch, fetchAny } from '../../records/verbs/read.ts'
import { notifyOfRecords } from '../../records/workNotices/notifyOfChanges.ts'
import { knownElsewhere } from './knownElsewhere.ts'

/** Most questions of a person within a day. */
const MAX_A_DAY = 20
const ANSWERS = { same: 'It is the same person', other: 'It is another person' }

/**
 * Asks somebody who sees a client whether it is a person; a client of another name or date of birth is as missing as one
 * that is not there, so that no id is confirmed.
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
  const of = await whomToAsk(db, client, me.id)
  if (of === undefined) throw problem('notFound')
  const title = `Is client ${client} the person whom ${me.first_name} ${me.last_name} is entering? Answer in Questions about people`
  const task = await addTask(call, title, of)
  const { rows } = await sql<{ id: number }>`insert into client_questions (client, asked_by, asked_of, task)
    values (${client}, ${me.id}, ${of}, ${task}) returning id`.execute(db)
  await writeAuditEvent(call, { action: 'ask about', entity: 'client', record: client })
  call.reply.code(201)
  return fetchAny(call, contract.entities.clientQuestion, rows[0].id)
}

/** Answers a question: its task is done, and the one who asked gets the answer as a task, which reaches their bell. */
export const answer: Handler = async (call) => {
  const { contract, db, me, params } = call
  const { clientQuestion } = contract.entities
  const { answer: said, words = null } = await validateBody(
    call,
    contract.bodies.answerAboutClient,
    call.body,
  )
  const question = await fetch(call, clientQuestion, params.id)
  if (question.asked_of !== me.id) throw problem('forbidden')
  const { rows } = await sql<{ task: number | null }>`update client_questions
    set answer = ${said}, words = ${words}, answered_at = now(), version = version + 1
    where id = ${question.id} and answer is null returning task`.execute(db)
  if (rows.length === 0) return fetch(call, clientQuestion, params.id)
  await sql`update tasks set done_at = now(), version = version + 1 where id = ${rows[0].task} and done_at is null`.execute(
    db,
  )
  const sentence = `${ANSWERS[said as keyof typeof ANSWERS]} as client ${question.client}, says ${me.first_name} ${me.last_name}`
  await addTask(call, [sentence, words].filter(Boolean).join(': '), question.asked_by)
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
 * Who is asked about a client: a manager of the hub that has its latest open issue, else the manager of its advocate,
 * else the advocate, else an administrator.
 */
async function whomToAsk(db: Db, client: number, asker: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`with work as (
      select i.hub, i.advocate from issues i where i.client = ${client} order by i.is_opened desc, i.id desc limit 1
    ), asked as (
      select s.id, 1 as rank from staff s join work on work.hub = s.hub where ${ROLE.hubManager} = any(s.groups)
      union all select s.line_manager, 2 from staff s join work on work.advocate = s.id
      union all select work.advocate, 3 from work
      union all select s.id, 4 from staff s where ${ROLE.systemAdministrator} = any(s.groups)
    )
    select s.id from asked join staff s on s.id = asked.id
    where s.id <> ${asker} and is_employed(s.status) order by asked.rank, s.id limit 1`.execute(db)
  return rows[0]?.id
}
