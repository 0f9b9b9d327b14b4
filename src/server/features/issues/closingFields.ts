import { sql } from 'kysely'
import { groupsOf } from '../../../contract/entity.ts'
import type { Field, Option } from '../../../contract/generated.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Issue } from '../../../contract/types/entities.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import { formatDate } from '../../records/audit/formatValue.ts'
import { openSteps } from './closeSteps.ts'
import { deathOf, reasonsOfDeath } from './dateOfDeath.ts'

/** Maximum number of steps that the form asks about, and of issues that it offers to move them to. */
const MAX_STEPS = 50
const MAX_ISSUES = 50

/** The fields that closing an issue asks for, and their initial values: the body of the call without what is known. */
export async function closingFields(call: Call, issue: Issue): Promise<{ fields: Field[]; values: Values }> {
  const known = Object.fromEntries(
    groupsOf(call.contract.bodies.closeIssue)[0].fields.map((field) => [field.name, field]),
  )
  const steps = (await openSteps(call, issue)).slice(0, MAX_STEPS)
  const fields = [
    known.reasons,
    known.close_date,
    ...(await deathFields(call, issue, known.date_of_death)),
    ...(steps.length > 0 ? [stepsField(known.steps, steps, await issuesFor(call, issue))] : []),
    ...[known.actual_outcomes, known.ndti_outcomes].filter(({ name }) => !isSet(issue[name as keyof Issue])),
  ]
  const values = steps.length > 0 ? { steps: steps.map(({ id }) => ({ row: `s${id}`, task: id })) } : {}
  return { fields, values }
}

/** The date of death if a reason says so, or that somebody else has to enter it; nothing if it is known. */
async function deathFields(call: Call, issue: Issue, field: Field): Promise<Field[]> {
  const [reasons, { dod, mayWrite }] = await Promise.all([reasonsOfDeath(call), deathOf(call, issue.client)])
  if (reasons.length === 0 || dod !== null) return []
  const when = { reasons }
  if (mayWrite) {
    const help = 'It is stored in the client’s record'
    return [{ ...field, attrs: { ...field.attrs, required: true, help, when } }]
  }
  const text =
    'The client’s record has no date of death. You may not change that record: tell somebody who may.'
  return [{ name: 'death_note', label: field.label, type: 'note', attrs: { text, tone: 'warning', when } }]
}

/** One row for each open step, neither more nor fewer. */
function stepsField(
  field: Field,
  steps: { id: number; title: string; due: string }[],
  issues: Option[],
): Field {
  const [task, becomes, reason, issue] = field.fields!
  const titles = steps.map(({ id, title, due }) => ({
    value: id,
    label: `${title} (due ${formatDate(due)})`,
  }))
  const choices = becomes.attrs!.options!.filter(({ value }) => value !== 'moved' || issues.length > 0)
  const asked = (one: Field, of: string, attrs: Field['attrs']): Field => ({
    ...one,
    attrs: { ...one.attrs, ...attrs, required: true, when: { becomes: of } },
  })
  return {
    ...field,
    attrs: { min: steps.length, max: steps.length },
    fields: [
      { ...task, type: 'select', attrs: { options: titles, required: true } },
      { ...becomes, attrs: { options: choices, required: true } },
      asked(reason, 'dropped', {}),
      ...(issues.length > 0 ? [asked({ ...issue, type: 'select' }, 'moved', { options: issues })] : []),
    ],
  }
}

/** The other open issues of the client that the caller may see. */
async function issuesFor({ db, me }: Call, issue: Issue): Promise<Option[]> {
  const { rows } = await sql<{ value: number; label: string }>`select i.id as value,
      'Issue ' || i.id || coalesce(': ' || y.label, '') || coalesce(' (' || s.label || ')', '') as label
    from issues i
    left join lookup y on y.kind = 'issue_types' and y.value = i.issue_type
    left join lookup s on s.kind = 'services' and s.value = i.service
    where i.client = ${issue.client} and i.id <> ${issue.id} and i.is_opened and i.status = ${sql.lit(STATUS.active)}
      and ${visibleTo('issue', me, 'i')}
    order by i.id desc limit ${MAX_ISSUES}`.execute(db)
  return rows
}
