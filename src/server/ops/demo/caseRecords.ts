import { STATUS } from '../../../contract/status.ts'
import type { Row } from '../../core/db.ts'
import { actionsOf, contactOf } from './actions.ts'
import { answersFor } from './answers.ts'
import { auditEventsOf, createdEvent } from './auditRows.ts'
import type { CaseKind } from './caseKinds.ts'
import type { Client } from './client.ts'
import type { DemoContext, Place } from './context.ts'
import { AFTERNOON, dateOf, dayOf, MORNING, timeOf } from './days.ts'
import { documentOf } from './documents.ts'
import { issuesOf } from './issues.ts'
import type { Item } from './lookups.ts'
import { caseMonitoring, issueMonitoring } from './monitoring.ts'
import { makeStory, type Story } from './plots.ts'
import { isArchived, isAudited } from './present.ts'
import { signpostsOf } from './signposts.ts'
import type { Colleague } from './staffing.ts'

/** Rows by table, for all tables with client data, in an order in which they can be inserted. */
export interface Rows {
  clients: Row[]
  cases: Row[]
  issues: Row[]
  case_monitoring: Row[]
  issue_monitoring: Row[]
  signposts: Row[]
  files: Row[]
  actions: Row[]
  risks: Row[]
  communication_issues: Row[]
  issue_documents: Row[]
  audit: Row[]
}
/** A new case: its row, and the data for its issues. */
export interface Opened {
  row: Row
  kind: CaseKind
  story: Story
  creator: Colleague
  client: Client
}

// Councils of hub 1; the others belong to hub 2.
const EAST = [1, 2]
const BY_MANAGER = 0.4
const RETIRED = 0.02
// One of this number of clients is sent by a commissioner.
const CLIENTS_PER_COMMISSIONED = 12
// Days after the start within which a case is answered.
const INTAKE_DAYS = 30

/** Adds a case of a client with everything that belongs to it to `rows`; undefined if there is no usable case type. */
export function addCase(
  client: Client,
  at: Place,
  rows: Rows,
  context: DemoContext,
): { row: Row; story: Story; issues: Row[] } | undefined {
  const opened = open(client, at, context)
  if (!opened) return undefined
  const { row, story } = opened
  const issues = issuesOf(opened, context)
  Object.assign(row, totals(issues))
  rows.cases.push(row)
  rows.issues.push(...issues)
  rows.case_monitoring.push(caseMonitoring(row, client, context))
  rows.issue_monitoring.push(...issues.map((issue) => issueMonitoring(issue, context)))
  rows.signposts.push(...signpostsOf(row, story, context))
  const place = { client: client.id, case: row.id, issue: null }
  if (isAudited(client.id, story.began, context)) rows.audit.push(createdEvent(row, 'case', place))
  for (const issue of issues) addWork(issue, opened, rows, context)
  Object.assign(row, contactsOf(issues))
  return { row, story, issues }
}

/** Adds the actions of an issue with their audit events, and updates the columns derived from them. */
function addWork(issue: Row, { story, client }: Opened, rows: Rows, context: DemoContext): void {
  const until = issue.close_date === null ? story.touched : dayOf(String(issue.close_date))
  const actions = actionsOf(issue, client.id, until, isArchived(client.id), context)
  Object.assign(issue, contactOf(actions))
  rows.actions.push(...actions)
  const filed = documentOf(issue, until, context)
  if (filed) {
    rows.files.push(filed.file)
    rows.issue_documents.push(filed.document)
  }
  if (!isAudited(client.id, story.began, context)) return
  const place = { client: client.id, case: issue.case, issue: issue.id }
  rows.audit.push(
    ...auditEventsOf(issue, place),
    ...actions.map((action) => createdEvent(action, 'action', place)),
  )
  if (filed) rows.audit.push(createdEvent(filed.document, 'issueDocument', place))
}

function open(client: Client, place: Place, context: DemoContext): Opened | undefined {
  const { random, today, ids } = context
  const choice = choose(place, context)
  if (!choice) return undefined
  const { kind, contract } = choice
  const story = makeStory(random, today, isArchived(client.id))
  const creator = intakeWorker(story, kind, place, context)
  const row = {
    id: ++ids.cases,
    client: client.id,
    service: kind.service,
    case_type: kind.id,
    case_type_version: kind.version,
    contract: contract.value,
    council_area: councilsOf(contract)[0] ?? null,
    status: story.ended !== undefined && random.chance(RETIRED) ? STATUS.retired : STATUS.active,
    validated_version: kind.version,
    counted_version: kind.version,
    created_by: creatorOf(creator, client, contract, context),
    created_at: timeOf(story.began, random.between(...MORNING)),
    updated_at: timeOf(story.touched, random.between(...AFTERNOON)),
    touched_at: timeOf(story.touched, random.between(...AFTERNOON)),
  }
  const about = {
    began: story.began,
    until: Math.min(story.touched, story.began + INTAKE_DAYS),
    closed: story.ended !== undefined,
    case: row,
    client,
  }
  const answered = answersFor(kind.caseFields, about, context)
  const patient = patientOf(answered.answers, story, context)
  return { row: { ...row, ...answered, ...patient }, kind, story, creator, client }
}

/** Picks a case type with a contract of the council, or any contract if the council has none. */
function choose(
  { council }: Place,
  { random, kinds }: DemoContext,
): { kind: CaseKind; contract: Item } | undefined {
  const here = kinds
    .map((kind) => ({
      kind,
      contracts: kind.contracts.filter((one) => councilsOf(one).includes(council)),
    }))
    .filter(({ contracts }) => contracts.length > 0)
  if (here.length > 0) {
    const { kind, contracts } = random.pick(here)
    return { kind, contract: random.pick(contracts) }
  }
  if (kinds.length === 0) return undefined
  const kind = random.pick(kinds)
  return { kind, contract: random.pick(kind.contracts) }
}

function intakeWorker(
  story: Story,
  kind: CaseKind,
  place: Place,
  { random, staffing }: DemoContext,
): Colleague {
  if (story.hub) return staffing.adviser(EAST.includes(place.council) ? 1 : 2)
  const worker = staffing.caseworker(kind.service, true)
  return worker.line !== null && random.chance(BY_MANAGER)
    ? { id: worker.line, hub: null, line: null }
    : worker
}

/** Creator of a case: the person who took it in, or for some without a hub the commissioner of its contract. */
function creatorOf(creator: Colleague, client: Client, contract: Item, { staffing }: DemoContext): number {
  const { id, contracts } = staffing.commissioner
  const isSent =
    client.id % CLIENTS_PER_COMMISSIONED === 0 && creator.hub === null && contracts.includes(contract.value)
  return isSent ? id : creator.id
}

/** The dates of birth and death of the patient of a complaint, if that is not the client. */
function patientOf({ complainant_is, patient_died }: Row, { began }: Story, { random }: DemoContext): Row {
  const other = complainant_is !== undefined && complainant_is !== 'the_patient'
  return {
    patient_dob: other ? dateOf(began - random.between(2000, 35_000)) : null,
    patient_dod: other && patient_died === 'yes' ? dateOf(began - random.between(10, 300)) : null,
  }
}

/** The totals of issues that triggers store in a case. */
function totals(issues: Row[]): Row {
  const open = issues.filter(({ is_opened, status }) => is_opened && status === STATUS.active).length
  const closed = issues.map(({ close_date }) => String(close_date ?? '')).sort()
  return {
    issue_count: issues.length,
    open_issues: open,
    close_date: open === 0 && issues.length > 0 ? closed.at(-1) : null,
  }
}

/** The days of contact that triggers store in a case. */
function contactsOf(issues: Row[]): Row {
  const latest = (days: unknown[]) => days.filter(Boolean).map(String).sort().at(-1) ?? null
  return {
    last_contact: latest(issues.map(({ last_contact }) => last_contact)),
    quiet_since: latest(issues.map(({ last_contact, start_date }) => last_contact ?? start_date)),
  }
}

function councilsOf({ attrs }: Item): number[] {
  return (attrs.council_areas as number[] | undefined) ?? []
}
