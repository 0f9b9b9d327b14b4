import type { Contract } from '../../src/contract/contract.ts'

const NAME = { title: 'Name', type: 'string', maxLength: 100 } as const

/** A small contract, so that tests of lists and details do not depend on the product's. */
export const contract = {
  entities: {
    boat: {
      $id: 'boat',
      title: 'Boat',
      type: 'object',
      properties: {
        id: { title: 'Number', type: 'integer', readOnly: true },
        name: NAME,
        harbour: { title: 'Harbour', type: ['integer', 'null'], lookup: 'harbours' },
        harbour_label: { title: 'Harbour', type: 'string' },
        crew: { title: 'Crew', type: 'array', lookup: 'people', items: { type: 'integer' } },
        built: { title: 'Built', type: ['string', 'null'], format: 'date' },
        seen_at: { title: 'Seen', type: ['string', 'null'], format: 'date-time' },
        length: { title: 'Length', type: 'integer' },
        at_sea: { title: 'At sea', type: 'integer', fieldType: 'duration' },
        leaking: { title: 'Leaking', type: ['string', 'null'], fieldType: 'yesno' },
        owned: { title: 'Owned', type: 'boolean' },
        status: {
          title: 'Status',
          type: 'integer',
          options: [
            { value: 1, label: 'Afloat' },
            { value: 2, label: 'Ashore' },
          ],
        },
      },
    },
  },
  endpoints: {
    'boats.list': {
      call: 'GET /boats/',
      does: 'list boat',
      query: ['paged', 'sorted', 'boats'],
      roles: 'staff',
    },
    'boats.of': { call: 'GET /harbour/{id}/boats/', does: 'list boat', query: ['paged'], roles: 'staff' },
    'boats.read': { call: 'GET /boat/{id}/', does: 'read boat', roles: 'staff' },
    'boats.retire': { call: 'GET /boat/{id}/retire/', does: 'retire boat', roles: 'staff' },
    'boats.unretire': { call: 'GET /boat/{id}/unretire/', does: 'unretire boat', roles: 'staff' },
    'boats.remove': { call: 'DELETE /boat/{id}/', does: 'remove boat', roles: 'staff' },
    'boats.sell': {
      call: 'POST /boat/{id}/sell/',
      does: 'boats.sell',
      body: 'sell',
      touches: ['boat'],
      roles: ['captain'],
    },
  },
  lookups: {
    harbours: { title: 'Harbours', path: '/harbours/' },
    people: { title: 'People', path: '/people/', retirable: true },
  },
  bodies: {
    sell: {
      title: 'Sell boat',
      required: ['buyer'],
      properties: { buyer: { title: 'Buyer', type: 'string', maxLength: 50 } },
    },
  },
  query: {
    paged: { p: { type: 'integer' }, page_size: { type: 'integer' } },
    sorted: { order_by: { type: 'string' }, sort_order: { type: 'string' } },
    boats: {
      name: { title: 'Name', type: 'string', match: 'contains' },
      harbour: { title: 'Harbour', type: 'integer', match: 'equal', lookup: 'harbours' },
      since: { title: 'Built since', type: 'date', column: 'built', match: 'from' },
      leaking: {
        title: 'Leaking',
        type: 'boolean',
        match: 'yes',
        options: [{ value: true, label: 'Leaking only' }],
      },
    },
  },
  roles: {
    roles: [
      { id: 1, name: 'captain', label: 'Captain', lands: '/', demo: 'captain' },
      { id: 2, name: 'sailor', label: 'Sailor', lands: '/', demo: 'sailor' },
    ],
    groups: { staff: ['captain', 'sailor'] },
  },
  menu: { dashboard: [], side: [] },
  screens: {},
} as unknown as Contract
