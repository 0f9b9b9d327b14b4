import { setTimeout as sleep } from 'node:timers/promises'
import type { Contract } from '../../src/contract/contract.ts'
import type { Random } from '../../src/server/ops/demo/random.ts'
import { type Day, type Made, startDay } from '../dayOfCalls.ts'
import { signIn } from '../server/context.ts'

/** Milliseconds between two calls of a person. */
const PAUSE_MS = 100
const ROLES = ['advocate', 'manager', 'hub', 'hubmanager', 'volunteer', 'partner', 'partnermanager', 'admin']

interface Figures {
  calls: number
  writes: number
  /** Milliseconds of the longest call. */
  longest: number
  /** Name of the longest call. */
  'longest call': string
  /** How often each failure came, like 'cases.list 503 unavailable'. */
  errors: Record<string, number>
}

export interface PeopleAtWork {
  /** Begins to count anew. */
  begin(): void
  /** The counts since then. */
  figures(): Figures
  stop(): Promise<void>
  /** The acknowledged writes that the database does not have. */
  lost(query: (sql: string) => Promise<Record<string, unknown>[]>): Promise<string[]>
}

/** Lets people of all roles read and write all that they may, until stopped. */
export async function putPeopleToWork(
  contract: Contract,
  address: string,
  password: string,
  count: number,
  random: (seed: number) => Random,
): Promise<PeopleAtWork> {
  const days: Day[] = []
  for (let i = 0; i < count; i++) {
    const caller = await signIn(contract, address, ROLES[i % ROLES.length], password)
    days.push(await startDay(contract, caller, `person ${i}`, random(i)))
  }
  let made: (Made & { isWrite: boolean })[] = []
  let working = true
  const done = days.map(async (day) => {
    while (working) {
      const before = day.acknowledged()
      const call = await day.next()
      made.push({ ...call, isWrite: day.acknowledged() > before })
      await sleep(PAUSE_MS)
    }
  })
  return {
    begin: () => {
      made = []
    },
    figures: () => figuresOf(made),
    stop: async () => {
      working = false
      await Promise.all(done)
    },
    lost: async (query) => (await Promise.all(days.map((day) => day.lost(query)))).flat(),
  }
}

function figuresOf(made: (Made & { isWrite: boolean })[]): Figures {
  const errors: Record<string, number> = {}
  for (const { name, status, code } of made)
    if (status === 0 || status >= 400) {
      const error = `${name} ${status} ${code}`
      errors[error] = (errors[error] ?? 0) + 1
    }
  const [longest] = [...made].sort((a, b) => b.ms - a.ms)
  return {
    calls: made.length,
    writes: made.filter(({ isWrite }) => isWrite).length,
    longest: Math.round(longest?.ms ?? 0),
    'longest call': longest?.name ?? 'none',
    errors,
  }
}
