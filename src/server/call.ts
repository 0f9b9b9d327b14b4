import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Contract } from '../contract/contract.ts'
import type { Endpoint, Entity } from '../contract/generated.ts'
import type { Values } from '../contract/when.ts'
import type { Db } from './db.ts'
import type { SentFile } from './files/multipart.ts'
import type { Settings } from './settings.ts'
import type { Caller } from './signIn/session.ts'
import type { VersionEvents } from './versionEvents.ts'

/** An item of a lookup, with what else its list says of it. */
interface LookupItem {
  value: number
  label: string
  [key: string]: unknown
}

/** One request as verbs and handlers get it: who calls, what was sent, and the database (a transaction for writes). */
export interface Call {
  name: string
  endpoint: Endpoint
  contract: Contract
  settings: Settings
  versionEvents: VersionEvents
  db: Db
  /** Where `db` is a standby: as of when its rows are (ISO), and the database that can be written. */
  standby?: { asAt: string; primary: Db }
  me: Caller
  /** Parts of the path; numeric ids are numbers. */
  params: Record<string, number | string>
  /** Known query parameters, of their types; unknown ones are left out. */
  query: Record<string, string | number | boolean>
  /** Of a multipart body its texts. */
  body: Values
  /** Of a multipart body, the first where there are several. */
  file?: SentFile
  files?: SentFile[]
  request: FastifyRequest
  reply: FastifyReply
  /** The list was asked for as a file: all its rows. */
  exporting: boolean
  /** All choices of a lookup, read once for many records that are validated one after the other. */
  choices?: (lookup: string, params: Record<string, string>) => Promise<LookupItem[]>
}
/** Named operations answer the reply's body. */
export type Handler = (call: Call) => Promise<unknown>
/** Generic operations get the entity that the descriptor names. */
export type VerbHandler = (call: Call, entity: Entity) => Promise<unknown>
