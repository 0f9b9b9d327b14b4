import { ROLE } from '../../../contract/roles.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Row, Tx } from '../../core/db.ts'
import type { Words } from './context.ts'
import { dateOf, timeOf } from './days.ts'
import { load } from './load.ts'
import type { Lookups } from './lookups.ts'
import type { Random } from './random.ts'
import { HUB_MANAGERS, HUBS, type Member, member, namedStaff } from './team.ts'

export interface Colleague {
  id: number
  hub: number | null
  /** Id of the line manager. */
  line: number | null
}
type Worker = Member & Colleague
/** Picks suitable staff for work, weighted by their share. */
export interface Staffing {
  /** Caseworkers and hub advisers who are not retired. */
  workers: Pick<Worker, 'id' | 'services'>[]
  /** A caseworker of a service; not a retired one if the work is open. */
  caseworker(service: number, open: boolean): Colleague
  adviser(hub: number): Colleague
  commissioner: Pick<Worker, 'id' | 'contracts'>
}
interface StaffOptions {
  clients: number
  password: string
  lookups: Lookups
  random: Random
  words: Words
  /** A day as a number as in days.ts. */
  today: number
}

const CASEWORKER: number[] = [ROLE.advocate, ROLE.volunteerAdvocate, ROLE.partner]
const HIRED = 1600
/** Days of a present leave. */
const LEAVE = { before: 4, after: 7 }
const SERVICES = [
  [1, 3],
  [2, 4],
  [1, 5],
]
// Clients for which the named staff suffice; above, there is one more for each CLIENTS_EACH, in teams with a manager.
const CLIENTS_OF_NAMED_STAFF = 300
const CLIENTS_EACH = 250
const TEAM_SIZE = 10

/** Inserts the staff and returns the functions that pick from them; `password` is the hash for all. */
export async function addStaff(tx: Tx, options: StaffOptions): Promise<Staffing> {
  const { clients, random, words } = options
  const more = Math.max(0, Math.ceil((clients - CLIENTS_OF_NAMED_STAFF) / CLIENTS_EACH))
  const members = [
    ...namedStaff(),
    ...Array.from({ length: more }, (_, i) => furtherMember(i, random, words)),
  ]
  const ids = new Map(members.map(({ username }, i) => [username, i + 1]))
  const colleagues = members.map((one, i) => ({
    ...one,
    id: i + 1,
    line: one.manager === null ? null : ids.get(one.manager)!,
  }))
  const columns = colleagues.map((one) => rowOf(one, options))
  await load(tx, 'staff', columns)
  return staffing(colleagues, random)
}

function rowOf(
  { manager: _, share: __, line, ...one }: Worker,
  { password, lookups, today }: StaffOptions,
): Row {
  return {
    ...one,
    email: `${one.username}@example.org`,
    // Of the numbers that are reserved for fiction.
    phone: `01632 960${100 + (one.id % 900)}`,
    password_hash: password,
    line_manager: line,
    contracts: one.contracts.length > 0 ? one.contracts : contractsFor(one.services, lookups),
    created_at: timeOf(today - HIRED, 540),
    leave_from: one.status === STATUS.onLeave ? dateOf(today - LEAVE.before) : null,
    leave_to: one.status === STATUS.onLeave ? dateOf(today + LEAVE.after) : null,
  }
}

function staffing(colleagues: Worker[], random: Random): Staffing {
  const pools = new Map<string, Colleague[]>()
  const pool = (key: string, fits: (one: Worker) => boolean) => {
    const cached = pools.get(key)
    if (cached) return cached
    const fitting = colleagues.filter(fits)
    const some = fitting.length > 0 ? fitting : colleagues.filter(hasCases)
    const made = some.flatMap((one) => Array<Colleague>(one.share).fill(one))
    pools.set(key, made)
    return made
  }
  const works = (one: Worker, service: number) => hasCases(one) && one.services.includes(service)
  return {
    workers: colleagues.filter(
      (one) => one.status !== STATUS.retired && (hasCases(one) || one.groups.includes(ROLE.hub)),
    ),
    caseworker: (service, open) =>
      random.pick(
        pool(`${service} ${open}`, (one) => works(one, service) && !(open && one.status === STATUS.retired)),
      ),
    adviser: (hub) =>
      random.pick(pool(`hub ${hub}`, (one) => one.hub === hub && one.groups.includes(ROLE.hub))),
    commissioner: colleagues.find(({ groups }) => groups.includes(ROLE.commissionerAdvocate))!,
  }
}

function hasCases({ groups }: Member): boolean {
  return groups.some((id) => CASEWORKER.includes(id))
}

function contractsFor(services: number[], lookups: Lookups): number[] {
  return services.flatMap((service) => lookups('contracts', { service }).map(({ value }) => value))
}

function furtherMember(i: number, random: Random, words: Words): Member {
  const team = Math.floor(i / TEAM_SIZE)
  const place = i % TEAM_SIZE
  const options = {
    username: `staff${i + 1}`,
    first_name: random.pick(words.staffFirst),
    last_name: random.pick(words.last),
    services: SERVICES[team % SERVICES.length],
  }
  if (place === 0) return member({ ...options, groups: [ROLE.advocateManager] })
  const hub = TEAM_SIZE - place
  if (hub <= HUBS.length)
    return member({ ...options, groups: [ROLE.hub], hub, manager: HUB_MANAGERS[hub - 1] })
  return member({ ...options, groups: [ROLE.advocate], manager: `staff${team * TEAM_SIZE + 1}` })
}
