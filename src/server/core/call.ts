import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint, Entity } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import type { Db } from './db.ts'
import type { SentFile } from './sentFile.ts'
import type { Settings } from './settings.ts'
import type { TypedContract } from './typedRows.ts'
import type { VersionEvents } from './versionEvents.ts'

/** The caller: the person with their roles and everything that scopes need. */
export interface Caller {
  id: number
  username: string
  first_name: string
  last_name: string
  email: string | null
  groups: number[]
  status: number
  hub: number | null
  services: number[]
  contracts: number[]
  /** Frequency of their digest mail. */
  digest: 'none' | 'daily' | 'weekly'
  /** True if a commissioner may read records of their contracts: in calls that only read, if the service allows it. */
  readsContracts?: boolean
  /** Groups of people of which the person reads the records they are notified about: in calls that only read. */
  readsGroups?: number[]
  /** True if the person may read the clients of undecided referrals to their hub: in calls that only read. */
  readsReferred?: boolean
  /** Setting OLD_CASE_DAYS, in calls by HTTP. */
  oldCaseDays?: number
  /** Ids of the person and of everybody below in the line of managers. */
  team: number[]
}

/** An item of a lookup, with the further properties of its list. */
interface LookupItem {
  value: number
  label: string
  [key: string]: unknown
}

export type Callback = (db: Db) => Promise<void>

/** One request as verbs and handlers receive it: caller, parameters, body and database (a transaction for writes). */
export interface Call {
  name: string
  endpoint: Endpoint
  contract: TypedContract
  settings: Settings
  versionEvents: VersionEvents
  db: Db
  /** Set if `db` is a standby: the time that its rows reflect (ISO), and the database that accepts writes. */
  standby?: { asAt: string; primary: Db }
  me: Caller
  /** Path parameters; a numeric id is a number. */
  params: Record<string, number | string>
  /** Query parameters and body filters of the descriptor, parsed to their types. */
  query: Record<string, string | number | boolean>
  /** Parsed JSON, or the text fields of a multipart body. */
  body: Values
  /** First file of a multipart body. */
  file?: SentFile
  files?: SentFile[]
  request: FastifyRequest
  reply: FastifyReply
  /** Callbacks to run after the reply, if the call succeeds. */
  callbacks: Callback[]
  /** True if the list is requested as an Excel file, with all its rows. */
  exporting: boolean
  /** Cached choices of a lookup, to validate many records one after the other. */
  choices?: (lookup: string, params: Record<string, string>) => Promise<LookupItem[]>
}
/** Function of a named operation; returns the body of the reply. */
export type Handler = (call: Call) => Promise<unknown>
/** Function of a generic operation, which also gets the entity that the descriptor names. */
export type VerbHandler = (call: Call, entity: Entity) => Promise<unknown>
