import type { Row, Tx } from '../db.ts'
import { load } from './load.ts'
import type { Lookups } from './lookups.ts'
import type { Random } from './random.ts'
import { type Member, member, namedStaff } from './team.ts'
import type { Words } from './world.ts'

export interface Colleague {
  id: number
  hub: number | null
  /** Id of the line manager. */
  line: number | null
}
/** Who does what: one of those who can, by their share of the work. */
export interface Staffing {
  /** Somebody with cases of a service; for what is open, nobody retired. */
  caseworker(service: number, open: boolean): Colleague
  adviser(hub: number): Colleague
}
interface Given {
  clients: number
  password: string
  lookups: Lookups
  random: Random
  words: Words
}

const CASEWORKER = [4, 6, 8]
const ADVISER = 3
const SERVICES = [
  [1, 3],
  [2, 4],
  [1, 5],
]
// A small office up to so many clients; then a colleague more for each so many, every tenth of them a manager.
const OFFICE = 300
const CLIENTS_EACH = 250
const TEAM = 10

/** Writes the staff down and answers how to find somebody for a piece of work; `password` is the hash for all. */
export async function addStaff(
  tx: Tx,
  { clients, password, lookups, random, words }: Given,
): Promise<Staffing> {
  const more = Math.max(0, Math.ceil((clients - OFFICE) / CLIENTS_EACH))
  const members = [...namedStaff(), ...Array.from({ length: more }, (_, i) => another(i, random, words))]
  const ids = new Map(members.map(({ username }, i) => [username, i + 1]))
  const managerOf = ({ manager }: Member) => (manager === null ? null : ids.get(manager)!)
  const rows: Row[] = members.map(({ manager: _, share: __, ...one }, i) => ({
    ...one,
    id: i + 1,
    email: `${one.username}@example.org`,
    password_hash: password,
    line_manager: managerOf(members[i]),
    contracts: one.contracts.length > 0 ? one.contracts : contractsFor(one.services, lookups),
  }))
  await load(tx, 'staff', rows)

  const colleagues = members.map((one, i) => ({ ...one, id: i + 1, line: managerOf(one) }))
  const pools = new Map<string, Colleague[]>()
  const pool = (key: string, fits: (one: Member) => boolean) => {
    const kept = pools.get(key)
    if (kept) return kept
    const made = colleagues.filter(fits).flatMap((one) => Array<Colleague>(one.share).fill(one))
    pools.set(key, made)
    return made
  }
  return {
    caseworker: (service, open) =>
      random.pick(pool(`${service} ${open}`, (one) => works(one, service) && (!open || one.status !== 2))),
    adviser: (hub) =>
      random.pick(pool(`hub ${hub}`, (one) => one.hub === hub && one.groups.includes(ADVISER))),
  }
}

function works({ groups, services }: Member, service: number): boolean {
  return groups.some((id) => CASEWORKER.includes(id)) && services.includes(service)
}

function contractsFor(services: number[], lookups: Lookups): number[] {
  return services.flatMap((service) => lookups('contracts', { service }).map(({ value }) => value))
}

function another(i: number, random: Random, words: Words): Member {
  const leads = i % TEAM === 0
  return member({
    username: `staff${i + 1}`,
    first_name: random.pick(words.staffFirst),
    last_name: random.pick(words.last),
    groups: [leads ? 2 : 4],
    manager: leads ? null : `staff${i - (i % TEAM) + 1}`,
    services: SERVICES[Math.floor(i / TEAM) % SERVICES.length],
  })
}
