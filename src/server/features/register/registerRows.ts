import { roleIds } from '../../../contract/access.ts'
import { callOf, verbOf } from '../../../contract/call.ts'
import type { Contract } from '../../../contract/contract.ts'
import type { Endpoint, Entity } from '../../../contract/generated.ts'
import { capitalised } from '../../../contract/quoted.ts'
import type { RegisterRow } from '../../../contract/types/entities.ts'
import { IDENTITY_FIELDS, personFields } from '../referrals/snapshot.ts'

/** A line of the register of data, without its number. */
export type RegisterLine = Omit<RegisterRow, 'id'>

/** Where a value goes that its sender may choose for a referral. */
export const REFERRAL = 'a referral to another hub, if its sender chooses it'
/** What the other hub gets of a document that is sent. */
const DOCUMENT_FIELDS = ['name', 'file']
const EVERY_REFERRAL = 'every referral to another hub'
const NOWHERE = 'nowhere'

/** Columns of a client that other records have as the client's name. */
const NAMES = ['first_name', 'last_name']
const LISTS_WITH_NAMES = 'Excel files of all lists that name clients'

/** Entities that the register begins with; the others follow by name. */
const FIRST = ['issue', 'case', 'client']
/** Columns that say nothing of anybody. */
const TECHNICAL = ['id', 'version']

/** The lines of all fields of a contract that are stored. */
export function registerRows(contract: Contract): RegisterLine[] {
  const rank = ({ $id }: Entity) => -FIRST.indexOf($id)
  return Object.values(contract.entities)
    .filter(({ purpose }) => purpose)
    .toSorted((a, b) => rank(a) - rank(b) || (a.title < b.title ? -1 : 1))
    .flatMap((entity) => rowsOf(contract, entity))
}

function rowsOf(contract: Contract, entity: Entity): RegisterLine[] {
  const seen = seenBy(contract, entity)
  return Object.entries(entity.properties)
    .filter(([name, { computed, meta }]) => !computed && !meta && !TECHNICAL.includes(name))
    .flatMap(([name, { title, purpose, columns = {} }]) => {
      const line = {
        record: entity.title,
        purpose: purpose ?? entity.purpose!,
        seen_by: seen,
        kept: entity.retention!,
        goes_to: goesTo(contract, entity, name),
      }
      const ofRows = Object.values(columns).map((column) => `${title}: ${column.title}`)
      return [title, ...ofRows].map((field) => ({ ...line, field }))
    })
}

/** The roles whose calls reply with records of an entity, or with rows of it, and which of them they see. */
export function seenBy(contract: Contract, { $id, scope }: Entity): string {
  const { roles, endpoints } = contract
  const ids = new Set(
    Object.values(endpoints)
      .filter(
        (endpoint) => callOf(endpoint).method === 'GET' && showsRecords(contract, repliedBy(endpoint), $id),
      )
      .flatMap((endpoint) => (endpoint.roles === 'public' ? [] : roleIds(roles, endpoint.roles ?? 'staff'))),
  )
  if (ids.size === 0) return 'Nobody; only the server reads it'
  const labels = roles.roles.filter(({ id }) => ids.has(id)).map(({ label }) => label)
  const who = labels.length === roles.roles.length ? 'All roles' : labels.join(', ')
  return scope ? `${who}, of the records that each may see` : who
}

/** The entity of a reply: the one that is named, or that of the verb. */
function repliedBy(endpoint: Endpoint): string | undefined {
  return endpoint.reply ?? verbOf(endpoint)?.entity
}

/** True if a call that replies with one entity shows records of another, as such or as rows of a list. */
function showsRecords({ entities }: Contract, reply: string | undefined, $id: string): boolean {
  return reply !== undefined && (reply === $id || entities[reply]?.rowsOf === $id)
}

/** The places that a value goes to, as a sentence. */
export function placesInWords(places: string[]): string {
  return capitalised(places.join('; ') || NOWHERE)
}

/** The lists of which the field is in an Excel file, and the referral that may take it along. */
function goesTo(contract: Contract, { $id }: Entity, field: string): string {
  if ($id === 'issueDocument' && DOCUMENT_FIELDS.includes(field))
    return placesInWords([...filesWith(contract, $id, field), REFERRAL])
  if ($id !== 'client') return placesInWords(filesWith(contract, $id, field))
  const files = NAMES.includes(field) ? [LISTS_WITH_NAMES] : filesWith(contract, $id, field)
  const isReferred = personFields(contract).some(({ name }) => name === field)
  const referral = IDENTITY_FIELDS.includes(field) ? EVERY_REFERRAL : REFERRAL
  return placesInWords([...files, ...(isReferred ? [referral] : [])])
}

/** The Excel files of lists with a column of an entity's records. */
function filesWith(contract: Contract, $id: string, field: string): string[] {
  const lists = Object.values(contract.screens).flatMap((screen) => {
    if (screen.kind !== 'list' || screen.export === false) return []
    const reply = repliedBy(contract.endpoints[screen.source])
    const isShown = screen.columns.some(
      (column) => column === field || (column as { field: string }).field === field,
    )
    // The title of a list below a record names that record.
    const title = screen.title.replace(/\s*\{\w+\}\s*/g, ' … ').trim()
    return isShown && showsRecords(contract, reply, $id) ? [title] : []
  })
  if (lists.length === 0) return []
  return [`Excel files of ${[...new Set(lists)].map((title) => `“${title}”`).join(', ')}`]
}
