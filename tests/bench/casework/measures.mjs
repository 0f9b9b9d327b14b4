import { readFileSync } from 'node:fs'

const read = (file) => JSON.parse(readFileSync(file, 'utf8'))

/** Addresses of the lists that the fields of a client's page choose from, in the order of the page. */
function lookupsOf(screen, entity) {
  const { properties } = read(`schemas/entities/${entity}.json`)
  const lookups = read('schemas/lookups.json')
  return read(`screens/${screen}.json`)
    .groups.flatMap(({ fields }) => fields)
    .flatMap((name) => lookups[properties[name].lookup]?.path ?? [])
}

const story = (database, query) => [
  {
    address: 'GET /api/clients/:id/chronology',
    id: database.client,
    query: { p: 1, page_size: 10, ...query },
  },
]

// What a browser asks when /clients/{id}/info is opened, one after the other.
const page = ({ client: id }) => [
  { address: 'GET /api/staff/me/info' },
  { address: 'GET /client/:id/index/', id },
  { address: 'GET /api/clients/:id/alerts', id, query: { page_size: 500 } },
  ...lookupsOf('client-info', 'client').map((path) => ({ address: `GET ${path}` })),
]

// Each save is one version on, whichever side made it.
const save = (database) => {
  const version = database.version++
  const body = { version, answers: { wishes: `To stay where they are; said for the ${version}th time.` } }
  return [{ address: 'PATCH /issue/:id/', id: database.issue, body }]
}

/** What is measured: the requests of one go on a database. */
export const MEASURES = {
  'chronology, first page': (database) => story(database),
  'chronology, outcomes only': (database) => story(database, { kind: 'outcome' }),
  'client page, all calls': page,
  'issue save': save,
}
