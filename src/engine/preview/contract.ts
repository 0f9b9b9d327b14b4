import type { Contract } from '../../contract/contract.ts'
import { addFacts } from '../../contract/facts.ts'
import { STATUS } from '../../contract/status.ts'
import type { User } from '../core/user.ts'

const colours = [
  { value: 1, label: 'Red' },
  { value: 2, label: 'Green' },
]
const LIST = {
  kind: 'list',
  source: 'things.list',
  columns: [
    { field: 'name', link: '/preview/detail/{id}/info', sort: true },
    { field: 'made', sort: true },
    'at',
    'spent',
    'friends',
    { field: 'count', sort: true },
    { field: 'urgent', as: 'tag' },
    { field: 'colour', as: 'tag' },
  ],
  actions: [{ label: 'Paint', call: 'things.paint', form: 'paint', done: '{name} is painted' }],
  toolbar: [{ label: 'New thing', icon: 'plus', to: '/preview/form' }],
}
const steps = [
  { id: 'first', title: 'First', entity: 'thing', fields: ['name', 'made'] },
  { id: 'second', title: 'Second', entity: 'thing', fields: ['colour'] },
]

/** A contract about things, whose screens are previewed with fixtures. */
export const contract = {
  entities: {
    thing: {
      $id: 'thing',
      title: 'Thing',
      type: 'object',
      required: ['name'],
      facts: {
        title: 'Things',
        day: 'made',
        dimensions: { colour: {}, urgent: {} },
        measures: {
          things: { title: 'Things', count: true },
          parts: { title: 'Parts', sum: 'count' },
          time: { title: 'Time', sum: 'spent' },
        },
      },
      properties: {
        id: { title: 'Number', type: 'integer', readOnly: true },
        name: { title: 'Name', type: 'string', maxLength: 100 },
        made: { title: 'Made', type: ['string', 'null'], format: 'date' },
        at: { title: 'Seen', type: ['string', 'null'], format: 'date-time' },
        spent: { title: 'Time spent', type: ['integer', 'null'], fieldType: 'duration' },
        friends: { title: 'Friends', type: 'array', lookup: 'friends', items: { type: 'integer' } },
        count: { title: 'Parts', type: 'integer' },
        urgent: { title: 'Urgent', type: ['string', 'null'], fieldType: 'yesno' },
        colour: { title: 'Colour', type: 'integer', options: colours },
      },
    },
  },
  endpoints: {
    'things.list': { call: 'GET /preview/things/', does: 'list thing', query: ['things'], roles: 'staff' },
    'things.none': { call: 'GET /preview/none/', does: 'list thing', roles: 'staff' },
    'things.broken': { call: 'GET /preview/broken/', does: 'list thing', roles: 'staff' },
    'things.read': { call: 'GET /preview/things/1/', does: 'read thing', roles: 'staff' },
    'things.update': { call: 'PATCH /preview/things/1/', does: 'update thing', roles: 'staff' },
    'things.create': { call: 'POST /preview/things/', does: 'create thing', roles: 'staff' },
    'things.missing': { call: 'GET /preview/missing/', does: 'read thing', roles: 'staff' },
    'things.paint': { call: 'POST /preview/paint/', does: 'things.paint', body: 'paint', roles: 'staff' },
    'things.report': {
      call: 'GET /preview/report/',
      does: 'list thing',
      query: ['things', 'sorted'],
      roles: 'staff',
    },
    'things.figures': {
      call: 'GET /preview/figures/',
      does: 'figures thing',
      query: ['sorted', 'thingFigures'],
      reply: 'thingFigures',
      roles: 'staff',
    },
    'things.drop': { call: 'DELETE /preview/things/1/', does: 'remove thing', roles: 'staff' },
  },
  lookups: { friends: { title: 'Friends', path: '/preview/friends/' } },
  bodies: {
    paint: {
      title: 'Paint',
      required: ['colour'],
      properties: { colour: { title: 'Colour', type: 'integer', options: colours } },
    },
  },
  query: {
    things: {
      name: { title: 'Name', type: 'string', match: 'contains' },
      friend: { title: 'Friend', type: 'integer', match: 'equal', lookup: 'friends' },
      since: { title: 'Made since', type: 'date', column: 'made', match: 'from' },
      urgent: { title: 'Urgent', type: 'boolean', match: 'yes' },
    },
  },
  roles: {
    roles: [{ id: 1, name: 'person', label: 'Person', lands: '/preview', demo: 'person' }],
    groups: { staff: ['person'] },
  },
  menu: { dashboard: [], side: [] },
  screens: {
    list: { ...LIST, route: '/preview/list', title: 'A list', about: 'With filters, an action and a tool.' },
    grid: { ...LIST, route: '/preview/grid', title: 'A list as a sheet', layout: 'grid' },
    report: {
      ...LIST,
      route: '/preview/report',
      title: 'A report',
      source: 'things.report',
      pages: false,
      columns: ['name', 'spent', 'count'],
      figure: { as: 'bars', of: 'name', values: ['spent'] },
    },
    line: {
      ...LIST,
      route: '/preview/line',
      title: 'A report with a line',
      source: 'things.report',
      pages: false,
      columns: ['made', 'count', 'id'],
      figure: { as: 'line', of: 'made', values: ['count', 'id'] },
    },
    figures: {
      route: '/preview/figures',
      kind: 'report',
      title: 'A report with a choice of numbers',
      source: 'things.figures',
      by: ['colour'],
      measures: ['things', 'time'],
      rows: 'list',
    },
    search: {
      route: '/preview/search',
      kind: 'search',
      title: 'A search',
      param: 'type',
      tabs: ['list', 'report'],
    },
    empty: { ...LIST, route: '/preview/empty', title: 'An empty list', source: 'things.none' },
    broken: { ...LIST, route: '/preview/broken', title: 'A list that fails', source: 'things.broken' },
    detail: {
      route: '/preview/detail/{id}',
      kind: 'detail',
      title: 'A detail: {name}',
      read: 'things.read',
      tags: ['colour', 'urgent'],
      facts: ['made', 'friends', 'count'],
      tabs: ['info', 'parts'],
      actions: [
        { label: 'Paint', call: 'things.paint', form: 'paint', done: '{name} is painted' },
        { label: 'Drop', call: 'things.drop', confirm: 'Drop {name}?', danger: true, done: '{name} is gone' },
      ],
    },
    missing: {
      route: '/preview/missing',
      kind: 'detail',
      title: 'Missing',
      read: 'things.missing',
      tabs: ['info'],
    },
    info: {
      route: '/preview/detail/{id}/info',
      kind: 'form',
      title: 'Info',
      read: 'things.read',
      save: 'things.update',
      groups: [{ title: 'Info', fields: ['name', 'made', 'colour'] }],
    },
    parts: { ...LIST, route: '/preview/detail/{id}/parts', title: 'Parts' },
    form: {
      route: '/preview/form',
      kind: 'form',
      title: 'A form',
      save: 'things.create',
      groups: [{ title: 'A thing', fields: ['name', 'made', 'friends', 'colour'] }],
    },
    wizard: {
      route: '/preview/wizard',
      kind: 'wizard',
      title: 'A wizard',
      save: 'things.create',
      steps,
    },
  },
} as unknown as Contract
addFacts(contract)

export const user: User = {
  id: 1,
  username: 'person',
  first_name: 'Ann',
  last_name: 'Ash',
  groups: [1],
  status: STATUS.active,
}
