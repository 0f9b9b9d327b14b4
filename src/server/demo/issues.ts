import type { Row } from '../db.ts'
import { answersFor } from './answers.ts'
import type { Ids } from './caseFile.ts'
import type { CaseKind } from './caseKinds.ts'
import type { Client } from './client.ts'
import { AFTERNOON, dateOf, MORNING, timeOf } from './days.ts'
import type { Item } from './lookups.ts'
import type { Story } from './plots.ts'
import type { Colleague } from './staffing.ts'
import type { World } from './world.ts'

/** When a piece of work began and, where it is closed, ended. */
interface Span {
  began: number
  ended?: number
}

// How many issues a case has: one of these.
const COUNTS = [...Array<number>(12).fill(1), 2, 2, 3, 4]
const CLOSED_EARLY = 0.4
const KEPT_BY_HUB = 0.55
const IN_ERROR = 0.05
const NAMED = 0.8
const ONE_REASON = 0.8
const DIED = /died/i
const ERROR = /error/i

/** The issues of a case: all closed where it is closed, otherwise the last one open. */
export function issuesOf(
  file: Row,
  kind: CaseKind,
  told: Story,
  creator: Colleague,
  client: Client,
  world: World,
  ids: Ids,
): Row[] {
  const { random } = world
  const count = random.pick(COUNTS)
  return Array.from({ length: count }, (_, i) => {
    const span = spanOf(i, count, told, world)
    const inError = i < count - 1 && span.ended !== undefined && random.chance(IN_ERROR)
    const advocate = workerFor(span, told, kind, creator, world)
    const about = {
      began: span.began,
      until: span.ended ?? told.touched,
      closed: span.ended !== undefined,
      case: { ...file, service: kind.service },
      client,
    }
    const type = issueType(kind, world)
    const subtypes = world.lookups('issue_subtype', { issue_type: type.value })
    return {
      id: ++ids.issues,
      version: 1 + (told.hub && advocate ? 1 : 0) + (span.ended === undefined ? 0 : 1),
      case: file.id,
      service: kind.service,
      contract: file.contract,
      hub: creator.hub,
      case_type_version: kind.version,
      issue_type: type.value,
      issue_subtype: subtypes.length > 0 && random.chance(0.8) ? random.pick(subtypes).value : null,
      start_date: dateOf(span.began),
      advocate,
      ...answersFor(kind.issueFields, about, world),
      judged_version: kind.version,
      is_opened: span.ended === undefined,
      close_date: span.ended === undefined ? null : dateOf(span.ended),
      close_reasons: span.ended === undefined ? [] : reasons(kind.service, inError, world),
      status: inError ? 2 : 1,
      created_by: creator.id,
      created_at: timeOf(span.began, random.between(...MORNING)),
      updated_at: timeOf(span.ended ?? told.touched, random.between(...AFTERNOON)),
    }
  })
}

/** The reason for closing that is given when somebody has died. */
export function reasonDied({ lookups }: World): number[] {
  return lookups('icr')
    .filter(({ label }) => DIED.test(label))
    .map(({ value }) => value)
}

function spanOf(i: number, count: number, { began, ended, touched }: Story, { random }: World): Span {
  const start = i === 0 ? began : random.between(began, touched)
  if (i === count - 1) return { began: start, ended }
  const over = ended !== undefined || random.chance(CLOSED_EARLY)
  return { began: start, ended: over ? random.between(start, touched) : undefined }
}

function workerFor(span: Span, told: Story, kind: CaseKind, creator: Colleague, { random, staffing }: World) {
  const open = span.ended === undefined
  if (open && random.chance(told.waiting)) return null
  if (told.hub && random.chance(KEPT_BY_HUB)) return creator.id
  return staffing.caseworker(kind.service, open).id
}

/** Mostly the one that the case type is named for, where there is one. */
function issueType({ label, service }: CaseKind, { random, lookups }: World): Item {
  const types = lookups('issue_types', { service })
  const named = types.find((type) => label.includes(type.label))
  return named && random.chance(NAMED) ? named : random.likely(types)
}

function reasons(service: number, inError: boolean, { random, lookups }: World): number[] {
  const offered = lookups('icr', { service })
  const fitting = offered.filter(({ label }) => ERROR.test(label) === inError && !DIED.test(label))
  const some = random.chance(ONE_REASON) ? [random.likely(fitting)] : random.some(fitting, 2)
  return some.map(({ value }) => value)
}
