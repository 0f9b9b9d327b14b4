import { sql } from 'kysely'
import type { Entity } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import type { Call } from '../call.ts'
import { saveFile } from '../files/saveFile.ts'
import { fieldProblem, refuse } from '../problems.ts'
import { unknownKeyErrors } from '../validate/unknownKeys.ts'

/** What a form of the admin sent: its values, the version they are based on, and where they stand in the body. */
export interface Sent {
  values: Values
  version: unknown
  at: string
}

/** Reads `{data, version?}`, or the parts of a multipart form: a file and texts. */
export async function readSent(call: Call, model: Entity): Promise<Sent> {
  if (call.request.isMultipart()) return readParts(call, model)
  const { data, version, ...others } = call.body
  refuse(unknownKeyErrors(Object.keys(others), () => 'Values stand in data'))
  if (data === null || typeof data !== 'object' || Array.isArray(data))
    throw fieldProblem({ data: ['Data must be a group of values'] })
  const { version: inside, ...values } = data as Values
  return { values, version: version ?? inside, at: 'data' }
}

async function readParts(call: Call, model: Entity): Promise<Sent> {
  const { field = 'file' } = call.file ?? {}
  if (field !== 'file') throw fieldProblem({ [field]: ['Only file takes a file'] })
  const file = call.file && (await saveFile(call, call.file))
  const { clear_only, version, ...given } = call.body as Record<string, string>
  const values: Values = Object.fromEntries(
    Object.entries(given).map(([name, text]) => [name, typed(model, name, text)]),
  )
  if (file) values.file = file.id
  else if (isYes(clear_only ?? '')) values.file = null
  return { values, version: version === undefined ? undefined : Number(version), at: '' }
}

/** A form sends texts; what is a number or a list in the record becomes one. */
function typed({ properties }: Entity, name: string, text: string): unknown {
  const types = [properties[name]?.type].flat()
  if (text.trim() === '') return null
  if (types.includes('boolean')) return isYes(text) ? 'yes' : 'no'
  if (types.includes('array')) return text.split(',').map(Number)
  return types.includes('integer') ? Number(text) : text
}

function isYes(text: string): boolean {
  return /^(true|yes|on|1)$/i.test(text.trim())
}

/** Lets go of the file that a record had before, once it has another or none. */
export async function dropFile({ db }: Call, before: unknown, after: unknown): Promise<void> {
  if (before && before !== after) await sql`delete from files where id = ${before}`.execute(db)
}
