import type { CaseKind } from './caseKinds.ts'
import type { Casework } from './casework.ts'
import type { Lookups } from './lookups.ts'
import type { Random } from './random.ts'
import type { Staffing } from './staffing.ts'

/** The shared context of the functions that make demo rows. */
export interface DemoContext {
  random: Random
  /** Separate random numbers for actions and other work, so that adding work does not change cases and issues. */
  work: Random
  /** A day as a number as in days.ts. */
  today: number
  lookups: Lookups
  kinds: CaseKind[]
  staffing: Staffing
  /** The last assigned ids. */
  ids: {
    clients: number
    cases: number
    issues: number
    actions: number
    risks: number
    communication_issues: number
    issue_documents: number
    files: number
  }
  words: Words
  casework: Casework
  /** Texts by '<field>:<case type>', by field, or by type. */
  phrases: Record<string, string[]>
}

export interface Place {
  /** The council that pays for advocacy there. */
  council: number
  area: number | null
  town: string
  /** The first half of its postcodes. */
  postcode: string
}

export interface Words {
  female: string[]
  male: string[]
  last: string[]
  long: [string, string][]
  staffFirst: string[]
  streets: string[]
  places: Place[]
  organisations: string[]
  jobs: string[]
  clientNotes: string[]
  signposting: string[]
}
