import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { holidaysOfCase, usesCalendar } from '../../../contract/deadlines/holidaysAround.ts'
import { editableFields } from '../../../contract/entity.ts'
import type { Entity, Field } from '../../../contract/generated.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Case, CaseType as CaseTypeRow, Issue } from '../../../contract/types/entities.ts'
import { getIn, isSet, type Values } from '../../../contract/when.ts'
import { ajvValidate } from '../../core/ajvValidate.ts'
import type { Call } from '../../core/call.ts'
import { fieldProblem, prefixed, refuse } from '../../core/problems.ts'
import { today } from '../../core/today.ts'
import { translateSent } from '../../records/answerMigrations/translateSent.ts'
import type { StoredSeenValues } from '../../records/answersSeen/readOutside.ts'
import { invalidForAll, seenOfRecord, storedSeen } from '../../records/answersSeen/seenOfRecord.ts'
import { storedHidden } from '../../records/hiddenAnswers/entries.ts'
import { readCalendars } from '../../records/lookups/bankHolidays.ts'
import { applyEarlierVersions, fieldsOf } from '../../records/validate/applyEarlierVersions.ts'
import { refuseNoAnswers, versionsSince } from '../../records/validate/meta.ts'
import { refuseUnknownItems } from '../../records/validate/refuseUnknownItems.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { addRecords } from '../../records/verbs/addRecords.ts'
import { notifyOfChanges } from '../../records/workNotices/notifyOfChanges.ts'
import { refuseAssignees } from '../staff/assignees.ts'

/** The parts of a case type that validate a new record. */
export type CaseType = Pick<CaseTypeRow, 'id' | 'status' | 'version' | 'service' | 'case_meta' | 'issue_meta'>

type NewIssue = Partial<Pick<Issue, 'advocate' | 'service' | 'contract'>>

/** A validated case or issue: its columns, and the fields of its answers. */
export interface ValidatedRecord {
  row: Partial<Case & Issue> & { answers_seen?: StoredSeenValues }
  fields: Field[]
}

/** The published case type of a body; it must belong to the service of the body, if that has one. */
export async function caseTypeOf({ db }: Call, body: Values): Promise<CaseType> {
  const { service, case_type } = body
  const { rows } =
    await sql<CaseType>`select * from case_types where version > 0 and id = ${Number.isInteger(case_type) ? case_type : 0}`.execute(
      db,
    )
  if (!rows[0]) throw fieldProblem({ case_type: ['Choose case type'] })
  if (service !== undefined && service !== rows[0].service)
    throw fieldProblem({ case_type: ['Case type must be one of the service'] })
  return rows[0]
}

/** Refuses the advocate of a new issue, if it has one who does not work on its service and contract. */
export async function refuseAssignee(call: Call, issue: NewIssue, path: string): Promise<void> {
  const { advocate, service = null, contract = null } = issue
  if (!isSet(advocate)) return
  await refuseAssignees(call, [{ issue: { service, contract }, advocate: advocate!, path }])
}

interface RecordOptions {
  /** The case and client in the context of conditions. */
  recordContext: Values
  /** True if answers may be missing, which are then saved as invalid fields; wrong answers are refused. */
  isIncomplete?: boolean
  /** True if missing answers get the defaults of fields that depend on other answers. */
  withDefaults?: boolean
}

/** Validates the own fields of a case or issue, and all its answers by the meta; returns its columns and fields. */
export async function validateRecord(
  call: Call,
  entity: Entity,
  body: Values,
  at: string,
  type: CaseType,
  { recordContext, isIncomplete = false, withDefaults = false }: RecordOptions,
): Promise<ValidatedRecord> {
  const { answers: written = {}, case_type_names_version: _, ...own } = at ? valuesAt(body, at) : body
  const answersAt = at ? `${at}.answers` : 'answers'
  refuseNoAnswers(written, answersAt)
  const columns = await validateBody(call, entity, pickEditable(entity, own), at, { with: recordContext })
  const { id, groups: roles } = call.me
  const conditionContext = {
    record: recordContext.case as Values,
    with: recordContext,
    user: { id, groups: roles },
  }
  const which = entity.$id === 'case' ? 'case_meta' : 'issue_meta'
  const form = { caseType: type.id, which, version: type.version } as const
  // A draft may have been translated since it was begun.
  const namedBy = body.case_type_names_version ?? body.case_type_version
  const sent = await translateSent(call.db, form, written as Values, namedBy)
  const groups = type[which]
  const calendars = usesCalendar(groups)
    ? await readCalendars(call.db, call.settings.BANK_HOLIDAYS)
    : undefined
  const holidays = holidaysOfCase(calendars, recordContext.case as Values)
  const around = {
    which,
    caseType: type.id,
    client: recordContext.client as Values,
    ...(which === 'issue_meta' && { caseRecord: recordContext.case as Values }),
  } as const
  // Rows of an upload are not filled in by somebody who looks at the last record.
  const seen = await seenOfRecord(call, () => around, { groups, stored: {}, knowsLast: !withDefaults })
  const input = {
    groups,
    stored: {},
    hidden: {},
    sent,
    conditionContext: { ...conditionContext, holidays, withDefaults, seen },
    validateSchema: ajvValidate,
    today: today(call.settings.TIME_ZONE),
    all: true,
  }
  const versions = await versionsSince(call, form, body.case_type_version)
  const { values, visibleValues, hidden, errors, invalid, earlier } = await applyEarlierVersions(
    input,
    versions,
    nextTurn,
  )
  const isRefused = (path: string) => !isIncomplete || isSet(getIn(values, path.split('.')))
  refuse(prefixed(answersAt, Object.fromEntries(Object.entries(errors).filter(([path]) => isRefused(path)))))
  for (const one of [{ groups, values: visibleValues }, ...earlier])
    await refuseUnknownItems(call, { ...one, stored: {}, conditionContext, at: answersAt })
  return {
    row: {
      ...columns,
      answers: values,
      hidden_answers: storedHidden({}, hidden, () => ({ version: type.version })),
      answers_seen: storedSeen(groups, seen.values),
      invalid_fields: invalidForAll(groups, invalid),
    },
    fields: fieldsOf(groups, earlier),
  }
}

/** Drops properties that only the server sets, such as the service and ids, which the wizard sends too. */
function pickEditable(entity: Entity, values: Values): Values {
  const fields = editableFields(entity)
  const known = (name: string) =>
    fields.some((field) => field.name === name) || !Object.hasOwn(entity.properties, name)
  return Object.fromEntries(Object.entries(values).filter(([name]) => known(name)))
}

/** The values at a key of a body; {} if there are none. */
export function valuesAt(body: Values, at: string): Values {
  const value = body[at] ?? {}
  if (typeof value !== 'object' || Array.isArray(value))
    throw fieldProblem({ [at]: ['must be a group of values'] })
  return value as Values
}

/** Stores new issues, notifies the people they are assigned to, and returns their ids. */
export async function addIssueRecords(call: Call, rows: NewIssue[]): Promise<number[]> {
  const ids = await addRecords(call, 'issue', rows)
  const added = rows.map((row, i) => ({
    after: { is_opened: true, status: STATUS.active, ...row, id: ids[i] },
  }))
  await notifyOfChanges({ ...call, by: call.me.id }, 'issue', added)
  return ids
}
