import { STATUS } from '../../contract/status.ts'
import type { Row } from '../db.ts'
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

/** Rows of the tables that belong to clients, by table, in the order in which they can be loaded. */
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
/** A case that somebody took in: its row, and what its issues need to know. */
export interface Opened {
  row: Row
  kind: CaseKind
  story: Story
  creator: Colleague
  client: Client
}

// Councils whose people hub 1 takes in; the others are hub 2's.
const EAST = [1, 2]
const BY_MANAGER = 0.4
const RETIRED = 0.02
// One client of so many is sent by a commissioner.
const SENT = 12
// Days within which the questions of a case are answered.
const TAKING_IN = 30

/** Adds a case of a client and all that belongs to it to rows; undefined where no case type can be opened. */
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
  row.last_contact = lastContact(issues)
  return { row, story, issues }
}

/** What was done on an issue, and what it says of that itself. */
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
  const creator = whoTookItIn(story, kind, place, context)
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
    created_by: madeBy(creator, client, contract, context),
    created_at: timeOf(story.began, random.between(...MORNING)),
    updated_at: timeOf(story.touched, random.between(...AFTERNOON)),
    touched_at: timeOf(story.touched, random.between(...AFTERNOON)),
  }
  const about = {
    began: story.began,
    until: Math.min(story.touched, story.began + TAKING_IN),
    closed: story.ended !== undefined,
    case: row,
    client,
  }
  const answered = answersFor(kind.caseFields, about, context)
  const patient = patientOf(answered.answers, story, context)
  return { row: { ...row, ...answered, ...patient }, kind, story, creator, client }
}

/** A case type with a contract of the council, any contract where the council has none. */
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

function whoTookItIn(
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

/** Whoever took a case in; of some that no hub took in the commissioner of its contract, who sent the person. */
function madeBy(creator: Colleague, client: Client, contract: Item, { staffing }: DemoContext): number {
  const { id, contracts } = staffing.commissioner
  const isSent = client.id % SENT === 0 && creator.hub === null && contracts.includes(contract.value)
  return isSent ? id : creator.id
}

/** The dates of the person a complaint is about, where that is not the client. */
function patientOf({ complainant_is, patient_died }: Row, { began }: Story, { random }: DemoContext): Row {
  const other = complainant_is !== undefined && complainant_is !== 'the_patient'
  return {
    patient_dob: other ? dateOf(began - random.between(2000, 35_000)) : null,
    patient_dod: other && patient_died === 'yes' ? dateOf(began - random.between(10, 300)) : null,
  }
}

/** The same totals as the database keeps by itself. */
function totals(issues: Row[]): Row {
  const open = issues.filter(({ is_opened, status }) => is_opened && status === STATUS.active).length
  const closed = issues.map(({ close_date }) => String(close_date ?? '')).sort()
  return {
    issue_count: issues.length,
    open_issues: open,
    close_date: open === 0 && issues.length > 0 ? closed.at(-1) : null,
  }
}

/** The same day as the database keeps by itself. */
function lastContact(issues: Row[]): unknown {
  const days = issues.map(({ last_contact, start_date }) => String(last_contact ?? start_date)).sort()
  return days.at(-1) ?? null
}

function councilsOf({ attrs }: Item): number[] {
  return (attrs.council_areas as number[] | undefined) ?? []
}
