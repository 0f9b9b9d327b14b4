import type { CaseKind } from './caseKinds.ts'
import type { Casework } from './casework.ts'
import type { Lookups } from './lookups.ts'
import type { Random } from './random.ts'
import type { Staffing } from './staffing.ts'

/** Everything that the makers of demo rows draw on. */
export interface DemoContext {
  random: Random
  /** For what is done on the files, so that more of it leaves the files themselves as they are. */
  work: Random
  /** A day as days.ts counts. */
  today: number
  lookups: Lookups
  kinds: CaseKind[]
  staffing: Staffing
  /** The last ids given. */
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
