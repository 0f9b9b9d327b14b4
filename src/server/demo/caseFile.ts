import type { Row } from '../db.ts'
import { answersFor } from './answers.ts'
import { auditOf } from './auditRows.ts'
import type { CaseKind } from './caseKinds.ts'
import type { Client } from './client.ts'
import { AFTERNOON, dateOf, MORNING, timeOf } from './days.ts'
import { issuesOf } from './issues.ts'
import type { Item } from './lookups.ts'
import { caseMonitoring, issueMonitoring } from './monitoring.ts'
import { type Story, story } from './plots.ts'
import { signpostsOf } from './signposts.ts'
import type { Colleague } from './staffing.ts'
import type { Place, World } from './world.ts'

/** Rows of the tables that belong to clients, by table. */
export interface Rows {
  clients: Row[]
  cases: Row[]
  issues: Row[]
  case_monitoring: Row[]
  issue_monitoring: Row[]
  signposts: Row[]
  audit: Row[]
}
/** A case that somebody took in: its row, and what its issues need to know. */
export interface Opened {
  row: Row
  kind: CaseKind
  told: Story
  creator: Colleague
  client: Client
}

// Councils whose people hub 1 takes in; the others are hub 2's.
const EAST = [1, 2]
const BY_MANAGER = 0.4
const RETIRED = 0.02
const AUDITED_DAYS = 90
// Days within which the questions of a case are answered.
const TAKING_IN = 30
// The first clients are those of today; the files behind them are mostly closed.
const PRESENT = 300

/** Adds a case of a client and all that belongs to it to rows; undefined where no case type can be opened. */
export function addCase(
  client: Client,
  place: Place,
  rows: Rows,
  world: World,
): { row: Row; told: Story; issues: Row[] } | undefined {
  const opened = open(client, place, world)
  if (!opened) return undefined
  const { row, told } = opened
  const issues = issuesOf(opened, world)
  Object.assign(row, totals(issues))
  rows.cases.push(row)
  rows.issues.push(...issues)
  rows.case_monitoring.push(caseMonitoring(row, client, world))
  rows.issue_monitoring.push(...issues.map((issue) => issueMonitoring(issue, world)))
  rows.signposts.push(...signpostsOf(row, told, world))
  if (world.today - told.began <= AUDITED_DAYS) rows.audit.push(...auditOf(row, issues))
  return { row, told, issues }
}

function open(client: Client, place: Place, world: World): Opened | undefined {
  const { random, today, ids } = world
  const choice = choose(place, world)
  if (!choice) return undefined
  const { kind, contract } = choice
  const told = story(random, today, client.id > PRESENT)
  const creator = whoTookItIn(told, kind, place, world)
  const row = {
    id: ++ids.cases,
    client: client.id,
    service: kind.service,
    case_type: kind.id,
    case_type_version: kind.version,
    contract: contract.value,
    council_area: contract.attrs.council_area ?? null,
    status: told.ended !== undefined && random.chance(RETIRED) ? 2 : 1,
    judged_version: kind.version,
    created_by: creator.id,
    created_at: timeOf(told.began, random.between(...MORNING)),
    updated_at: timeOf(told.touched, random.between(...AFTERNOON)),
    touched_at: timeOf(told.touched, random.between(...AFTERNOON)),
  }
  const about = {
    began: told.began,
    until: Math.min(told.touched, told.began + TAKING_IN),
    closed: told.ended !== undefined,
    case: row,
    client,
  }
  const answered = answersFor(kind.caseFields, about, world)
  const patient = patientOf(answered.answers, told, world)
  return { row: { ...row, ...answered, ...patient }, kind, told, creator, client }
}

/** A case type with a contract of the council, any contract where the council has none. */
function choose(
  { council }: Place,
  { random, kinds }: World,
): { kind: CaseKind; contract: Item } | undefined {
  const here = kinds
    .map((kind) => ({
      kind,
      contracts: kind.contracts.filter(({ attrs }) => attrs.council_area === council),
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

function whoTookItIn(told: Story, kind: CaseKind, place: Place, { random, staffing }: World): Colleague {
  if (told.hub) return staffing.adviser(EAST.includes(place.council) ? 1 : 2)
  const worker = staffing.caseworker(kind.service, true)
  return worker.line !== null && random.chance(BY_MANAGER)
    ? { id: worker.line, hub: null, line: null }
    : worker
}

/** The dates of the person a complaint is about, where that is not the client. */
function patientOf({ complainant_is, patient_died }: Row, { began }: Story, { random }: World): Row {
  const other = complainant_is !== undefined && complainant_is !== 'the_patient'
  return {
    patient_dob: other ? dateOf(began - random.between(2000, 35_000)) : null,
    patient_dod: other && patient_died === 'yes' ? dateOf(began - random.between(10, 300)) : null,
  }
}

/** The same totals as the database keeps by itself. */
function totals(issues: Row[]): Row {
  const open = issues.filter(({ is_opened, status }) => is_opened && status === 1).length
  const closed = issues.map(({ close_date }) => String(close_date ?? '')).sort()
  return {
    issue_count: issues.length,
    open_issues: open,
    close_date: open === 0 && issues.length > 0 ? closed.at(-1) : null,
  }
}
