import type { Contract } from './contract.ts'
import type { Endpoint, Parameter } from './generated.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Verb = keyof typeof VERBS

/** The generic operations that a descriptor may name together with an entity, and what each does. */
export const VERBS = {
  list: 'Answers a page of the records that the caller may see, with its filters and order.',
  search: 'Answers a page as list does; its filters come in the body, and without one it finds nothing.',
  figures:
    'Answers numbers of the records that the caller may see, by the dimensions and measures of their entity.',
  read: 'Answers the record whose id the path names.',
  create: 'Makes a record of what the body holds; with `by`, below the parent whose id the path names.',
  update: 'Changes what the body holds of a record; a conflict with a newer version is refused.',
  remove: 'Deletes a record that no other one needs.',
  retire: 'Sets the status to retired: the record is no longer offered and stays readable.',
  unretire: 'Sets the status of a retired record to active.',
  upload: 'Attaches one file, which comes as a multipart body.',
}

/** Method and path of a descriptor's call ('GET /case/{id}/'). */
export function callOf({ call }: Endpoint): { method: Method; path: string } {
  const [method, path] = call.split(' ')
  return { method: method as Method, path }
}

/** The verb and entity of a descriptor; undefined if it refers to a handler. */
export function verbOf({ does }: Endpoint): { verb: Verb; entity: string } | undefined {
  const [verb, entity] = does.split(' ')
  return entity ? { verb: verb as Verb, entity } : undefined
}

/** True if a verb returns a list. */
export function isListing(verb: Verb | undefined): boolean {
  return verb === 'list' || verb === 'search' || verb === 'figures'
}

const WRITING: Verb[] = ['create', 'update', 'remove', 'retire', 'unretire', 'upload']

/**
 * True if a call changes data: any method but GET, searches excepted, and those GETs that have `touches` or retire a
 * record.
 */
export function isWrite(endpoint: Endpoint): boolean {
  if (endpoint.filters) return false
  const isSafe = callOf(endpoint).method === 'GET' && endpoint.touches === undefined
  return !isSafe || WRITING.includes(verbOf(endpoint)?.verb as Verb)
}

/** The entity of a call's reply: the `reply` of its descriptor, else the entity of its verb. */
export function entityOfCall({ endpoints }: Pick<Contract, 'endpoints'>, call: string): string | undefined {
  const endpoint = endpoints[call]
  return endpoint && (endpoint.reply ?? verbOf(endpoint)?.entity)
}

type Parameters = Record<string, Parameter>

/** All parameters of a call by name: its query parameters, and the filters in the body of a search. */
export function parametersOf(contract: Pick<Contract, 'query'>, endpoint: Endpoint | undefined): Parameters {
  return { ...queryParametersOf(contract, endpoint), ...bodyParametersOf(contract, endpoint) }
}

export function queryParametersOf(
  { query }: Pick<Contract, 'query'>,
  endpoint: Endpoint | undefined,
): Parameters {
  return Object.assign({}, ...(endpoint?.query ?? []).map((group) => query[group]))
}

/** The filters that a search takes in its body, by name. */
export function bodyParametersOf(
  { query }: Pick<Contract, 'query'>,
  endpoint: Endpoint | undefined,
): Parameters {
  return Object.assign({}, ...(endpoint?.filters ?? []).map((group) => query[group]))
}

/** Names of the path parameters ('/case/{id}/' has id). */
export function partsOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
}

/** True if an address matches a path; a parameter of the path matches any segment. */
export function isAddressOf(path: string, address: string): boolean {
  const parts = address.split('/')
  const pattern = path.split('/')
  return (
    pattern.length === parts.length && pattern.every((part, i) => part.startsWith('{') || part === parts[i])
  )
}

/** Fills in and encodes the parameters of a path; one without a value becomes empty. */
export function fillPath(path: string, values: Record<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values[name] ?? '')))
}
