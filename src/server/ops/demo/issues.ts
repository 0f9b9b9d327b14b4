import { STATUS } from '../../../contract/status.ts'
import type { Row } from '../../core/db.ts'
import { answersFor } from './answers.ts'
import type { CaseKind } from './caseKinds.ts'
import type { Opened } from './caseRecords.ts'
import type { DemoContext } from './context.ts'
import { AFTERNOON, dateOf, MORNING, timeOf } from './days.ts'
import type { Item } from './lookups.ts'
import { outcomesOf } from './outcomes.ts'
import type { Story } from './plots.ts'

/** Start of an issue and, if it is closed, its end. */
interface Span {
  began: number
  ended?: number
}

// Numbers of issues per case, to pick from.
const COUNTS = [...Array<number>(12).fill(1), 2, 2, 3, 4]
const CLOSED_EARLY = 0.4
const KEPT_BY_HUB = 0.55
const IN_ERROR = 0.05
const NAMED = 0.8
const SUBTYPED = 0.8
const ONE_REASON = 0.8
const DIED = /died/i
const ERROR = /error/i

/** The issues of a case: in a closed case all closed, otherwise the last one open. */
export function issuesOf(opened: Opened, context: DemoContext): Row[] {
  const count = context.random.pick(COUNTS)
  return Array.from({ length: count }, (_, i) => issueOf(opened, i, count, context))
}

function issueOf(opened: Opened, i: number, count: number, context: DemoContext): Row {
  const { row: caseRow, kind, story, creator, client } = opened
  const { random, lookups, ids } = context
  const { began, ended } = spanOf(i, count, story, context)
  const closed = ended !== undefined
  const inError = i < count - 1 && closed && random.chance(IN_ERROR)
  const advocate = workerFor(opened, closed, context)
  const about = {
    began,
    until: ended ?? story.touched,
    closed,
    case: { ...caseRow, service: kind.service },
    client,
  }
  const type = issueType(kind, context)
  const subtypes = lookups('issue_subtype', { issue_type: type.value })
  const issue = {
    id: ++ids.issues,
    version: 1 + (story.hub && advocate ? 1 : 0) + (closed ? 1 : 0),
    case: caseRow.id,
    client: caseRow.client,
    service: kind.service,
    contract: caseRow.contract,
    hub: creator.hub,
    case_type_version: kind.version,
    issue_type: type.value,
    issue_subtype: subtypes.length > 0 && random.chance(SUBTYPED) ? random.pick(subtypes).value : null,
    start_date: dateOf(began),
    advocate,
    ...answersFor(kind.issueFields, about, context),
    validated_version: kind.version,
    counted_version: kind.version,
    is_opened: !closed,
    close_date: closed ? dateOf(ended) : null,
    close_reasons: closed ? reasons(kind.service, inError, context) : [],
    status: inError ? STATUS.retired : STATUS.active,
    created_by: caseRow.created_by,
    created_at: timeOf(began, random.between(...MORNING)),
    updated_at: timeOf(ended ?? story.touched, random.between(...AFTERNOON)),
  }
  const wrong = [issue, caseRow].some(({ invalid_fields }) => (invalid_fields as string[]).length > 0)
  const isActive = issue.status === STATUS.active && caseRow.status === STATUS.active
  const outcomes = outcomesOf(issue, context)
  if (outcomes.actual_outcomes.length > 0) issue.version++
  return { ...issue, ...outcomes, is_invalid: wrong && isActive }
}

/** The closing reasons of issues whose client has died. */
export function reasonDied({ lookups }: DemoContext): number[] {
  return lookups('icr')
    .filter(({ label }) => DIED.test(label))
    .map(({ value }) => value)
}

function spanOf(i: number, count: number, { began, ended, touched }: Story, { random }: DemoContext): Span {
  const start = i === 0 ? began : random.between(began, touched)
  if (i === count - 1) return { began: start, ended }
  const over = ended !== undefined || random.chance(CLOSED_EARLY)
  return { began: start, ended: over ? random.between(start, touched) : undefined }
}

function workerFor({ story, kind, creator }: Opened, closed: boolean, { random, staffing }: DemoContext) {
  if (!closed && random.chance(story.waiting)) return null
  if (story.hub && random.chance(KEPT_BY_HUB)) return creator.id
  return staffing.caseworker(kind.service, !closed).id
}

/** Picks an issue type of the service: mostly one whose name is part of the case type's label. */
function issueType({ label, service }: CaseKind, { random, lookups }: DemoContext): Item {
  const types = lookups('issue_types', { service })
  const named = types.find((type) => label.includes(type.label))
  return named && random.chance(NAMED) ? named : random.likely(types)
}

function reasons(service: number, inError: boolean, { random, lookups }: DemoContext): number[] {
  const offered = lookups('icr', { service })
  const fitting = offered.filter(({ label }) => ERROR.test(label) === inError && !DIED.test(label))
  return random.some(fitting, random.chance(ONE_REASON) ? 1 : 2).map(({ value }) => value)
}
