import { expect } from 'vitest'
import type { Caller, Reply } from './context.ts'
import { PDF, upload } from './upload.ts'

/** A write as 'entity action', with its case and issue; without these it is on the client. */
export interface Write {
  write: string
  case?: number
  issue?: number
}

/** Makes every kind of write on a client once; returns the writes in order, and the id of the added issue. */
export async function everyWrite(
  { admin, advocate, manager, partner }: Record<'admin' | 'advocate' | 'manager' | 'partner', Caller>,
  made: { id: number; client: number; issue: number },
): Promise<{ done: Write[]; second: number }> {
  const done: Write[] = []
  const onCase = { case: made.id }
  const onIssue = { case: made.id, issue: made.issue }
  done.push({ write: 'client create' }, { write: 'case create', ...onCase })
  done.push({ write: 'issue create', ...onIssue }, { write: 'signpost create', ...onCase })
  const [client, file, issue] = [made.client, made.id, made.issue].map((id) => ({ params: { id } }))
  const { issue_type, start_date, answers } = (await advocate('issues.read', issue)).body
  const as = (who: Caller, name: string, options: object, body?: object) => who(name, { ...options, body })
  await did(done, 'client update', {}, as(advocate, 'clients.update', client, { known_as: 'Annie' }))
  await did(done, 'case update', onCase, as(manager, 'cases.update', file, { answers: { ward: 'Oak' } }))
  const monitoring = as(advocate, 'cases.saveMonitoring', file, { carer: 'no' })
  await did(done, 'caseMonitoring update', onCase, monitoring)
  const fresh = { issue_type, start_date, answers, advocate: partner.id }
  const added = as(manager, 'cases.addIssue', file, fresh)
  const second = (await added).body.id
  const onSecond = { case: made.id, issue: second }
  await did(done, 'issue create', onSecond, added)
  await did(
    done,
    'issue update',
    onSecond,
    partner('issues.update', { params: { id: second }, body: { answers: { wishes: 'Home' } } }),
  )
  await did(
    done,
    'issue update',
    onIssue,
    as(advocate, 'issues.update', issue, { answers: { wishes: 'To stay' } }),
  )
  const outcomes = { desired_outcomes: [{ row: 'a', details: 'To stay' }] }
  await did(done, 'issue update', onIssue, as(advocate, 'issues.update', issue, outcomes))
  await did(
    done,
    'issueMonitoring update',
    onIssue,
    as(advocate, 'issues.saveMonitoring', issue, { notes: 'x' }),
  )
  await did(done, 'issue assign', onIssue, as(manager, 'issues.assign', issue, { advocate: advocate.id }))
  const write = { type: 1, done_on: '2026-03-01' }
  const action = await did(done, 'action create', onIssue, as(advocate, 'actions.addToIssue', issue, write))
  await did(
    done,
    'action update',
    onIssue,
    advocate('actions.update', { params: { id: action.id }, body: { time_taken: 900 } }),
  )
  await did(done, 'action create', onCase, as(advocate, 'actions.addToCase', file, write))
  await did(
    done,
    'action create',
    onIssue,
    advocate('actions.create', { body: { ...write, issue: made.issue } }),
  )
  for (const [calls, entity, path] of [
    ['risks', 'risk', (id: number) => `/risk/${id}/upload_file/`],
    ['communicationIssues', 'communicationIssue', (id: number) => `/communication_issue/${id}/upload_file`],
  ] as const) {
    const one = await did(done, `${entity} create`, {}, as(advocate, `${calls}.create`, client, { type: 1 }))
    const it = { params: { id: one.id } }
    await did(done, `${entity} update`, {}, as(advocate, `${calls}.update`, it, { type: 2 }))
    await did(done, `${entity} update`, {}, upload(advocate, path(one.id), 'plan.pdf', PDF))
    await did(done, `${entity} remove`, {}, as(advocate, `${calls}.remove`, it))
  }
  const letter = upload(advocate, `/issue/${made.issue}/file/`, 'letter.pdf', PDF)
  const document = { params: { id: (await did(done, 'issueDocument create', onIssue, letter)).id } }
  await did(
    done,
    'issueDocument update',
    onIssue,
    as(advocate, 'documents.rename', document, { name: 'Letter' }),
  )
  await did(done, 'issueDocument remove', onIssue, as(advocate, 'documents.remove', document))
  const signpost = await did(
    done,
    'signpost create',
    {},
    as(advocate, 'signposts.create', client, { sp_org: 2 }),
  )
  await did(done, 'signpost remove', {}, advocate('signposts.remove', { params: { id: signpost.id } }))
  for (const [entity, calls, at, place] of [
    ['issue', 'issues', issue, onIssue],
    ['case', 'cases', file, onCase],
    ['client', 'clients', client, {}],
  ] as const) {
    await did(done, `${entity} retire`, place, advocate(`${calls}.retire`, at))
    await did(done, `${entity} unretire`, place, advocate(`${calls}.unretire`, at))
  }
  await did(done, 'issue close', onIssue, as(advocate, 'issues.close', issue, { reasons: [1] }))
  const wrong = (await as(advocate, 'cases.addIssue', file, { issue_type, start_date, answers })).body.id
  done.push({ write: 'issue create', case: made.id, issue: wrong })
  await did(
    done,
    'issue remove',
    { case: made.id, issue: wrong },
    advocate('issues.remove', { params: { id: wrong } }),
  )
  // Reads are no writes, so not part of the chronology.
  for (const [name, options] of [
    ['clients.read', client],
    ['cases.read', file],
  ] as const)
    await admin(name, options)
  return { done, second }
}

async function did(done: Write[], write: string, place: Omit<Write, 'write'>, reply: Promise<Reply>) {
  const { status, body } = await reply
  expect([write, status, body]).toEqual([write, expect.toSatisfy((n) => n < 300), body])
  done.push({ write, ...place })
  return body
}
