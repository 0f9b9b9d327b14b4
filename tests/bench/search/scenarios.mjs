import { query } from '../calls/database.mjs'

const MOST = 120
const CASEWORKERS = ['manager', 'hub', 'advocate']

const post = (name, body) => ({ method: 'POST', path: `/api/search/${name}/`, body })

const get = (path) => ({ method: 'GET', path })

/** What is searched for, by name: `aim` is the p99 in milliseconds, `requests` are sent in turn, by `who` only. */
export async function scenarios(url) {
  const people = await query(
    url,
    `select c.id, c.first_name, c.last_name, c.dob::text, c.nhs_number, coalesce(c.phone, c.mobile) as phone, c.postcode
      from clients c join (select min(id) + (max(id) - min(id)) * n / ${MOST} as id from clients,
        generate_series(0, ${MOST - 1}) n group by n) sample using (id) order by id`,
  )
  const staff = await query(
    url,
    `select id, first_name, last_name from staff where 4 = any(groups) order by id limit ${MOST}`,
  )
  const [{ organisation, ...types }] = await query(
    url,
    `select (select answers ->> 'organisation' from issues where answers ? 'organisation' limit 1) as organisation,
      (select max(done_on)::text from actions) as last,
      (select (max(done_on) - 30)::text from actions) as month, (select (max(done_on) - 365)::text from actions) as year`,
  )
  const { last, month, year } = types
  const each = (name, make, rows = people) =>
    rows
      .map((row, i) => make(row, i))
      .filter(Boolean)
      .map((body) => post(name, body))
  const answers = (texts) => texts.map((text) => post('cases', { answers: text }))
  const word = (organisation ?? 'Hospital').split(' ').at(-1).slice(0, 6)
  return {
    'quick search by surname': {
      aim: 60,
      requests: people.map(({ last_name: name }) =>
        get(`/api/quicksearch/clients/?term=${encodeURIComponent(name)}`),
      ),
    },
    'who is alike': {
      aim: 100,
      requests: people.map(({ first_name, last_name, dob, postcode }, i) => ({
        method: 'POST',
        path: '/api/clients/alike',
        body: {
          ...SLIPS[i % SLIPS.length](first_name || 'Ann', last_name),
          ...(i % 2 === 0 && dob && { dob }),
          ...(i % 3 === 0 && postcode && { postcode }),
        },
      })),
    },
    'the box that finds people': {
      aim: 100,
      requests: people.map(({ first_name: first, last_name: last, dob }, i) => ({
        method: 'POST',
        path: '/api/clients/find',
        body: {
          term: `${Object.values(SLIPS[i % SLIPS.length](first, last)).join(' ')} ${(i % 2 === 0 && dob) || ''}`,
        },
      })),
    },
    'client by name': {
      aim: 100,
      requests: each('clients', ({ first_name: first, last_name: name }, i) => ({
        term: NAMES[i % NAMES.length](first, name),
      })),
    },
    'client by NHS number': {
      aim: 100,
      requests: each('clients', ({ nhs_number }) => nhs_number && { nhs_number }),
    },
    'client by phone': { aim: 100, requests: each('clients', ({ phone }) => phone && { phone }) },
    'client by postcode': { aim: 100, requests: each('clients', ({ postcode }) => postcode && { postcode }) },
    'client by id': { aim: 100, requests: each('clients', ({ id }) => ({ term: String(id) })) },
    'client by date of birth': {
      aim: 100,
      requests: each('clients', ({ dob }) => dob && { dob_start: dob, dob_end: dob }),
    },
    'case by client': {
      aim: 100,
      requests: each('cases', ({ first_name: first, last_name: name }, i) => ({
        client: NAMES[i % NAMES.length](first, name),
      })),
    },
    'actions of a client': {
      aim: 100,
      requests: each('actions', ({ first_name: first, last_name: name }, i) => ({
        client: NAMES[i % NAMES.length](first, name),
      })),
    },
    'actions of a month by a person': {
      aim: 100,
      requests: each('actions', ({ id }) => ({ staff: id, start: month, end: last }), staff),
    },
    'actions of a month by type': {
      aim: 300,
      requests: [1, 2, 3].map((type) => post('actions', { type, start: month, end: last })),
    },
    'activities of a year': {
      aim: 100,
      requests: [post('activities', { start: year, end: last }), post('activities', { type: 1 })],
    },
    'staff by name': {
      aim: 100,
      requests: each(
        'staff',
        ({ first_name: first, last_name: name }, i) => ({ term: NAMES[i % NAMES.length](first, name) }),
        staff,
      ),
    },
    'cases by a choice': { aim: 300, requests: answers(CHOICES) },
    'cases by days': {
      aim: 300,
      requests: answers([
        `4.case.date_received.between.${month}.${last}`,
        `5.case.date_received.between.${year}.${last}`,
        `1.issue.decision_date.between.${month}.`,
      ]),
    },
    'cases by words': {
      aim: 300,
      requests: answers([
        `5.issue.organisation.contains.${word}`,
        '5.issue.organisation.contains.northgate surg',
        '5.issue.organisation.contains.nowhere',
      ]),
    },
    'cases by several answers': { aim: 300, requests: answers(SEVERAL(month, last)) },
    'the worklist': { aim: 100, requests: [get('/api/worklist')], who: CASEWORKERS },
    'open deadlines': { aim: 100, requests: [get('/api/deadlines?open=true')], who: CASEWORKERS },
    'figures of My Team': { aim: 100, requests: [get('/api/reports/team')], who: ['manager'] },
    'needs of My Team': { aim: 100, requests: [get('/api/reports/team/needs')], who: ['manager'] },
  }
}

// What people type of a name.
const NAMES = [
  (first, last) => `${last}, ${first}`,
  (first, last) => `${first} ${last}`.toLowerCase(),
  (first, last) => `${last.slice(0, 4)} ${first.slice(0, 3)}`,
  (_, last) => last,
]

// How people mistype a name.
const SLIPS = [
  (first_name, last_name) => ({ first_name, last_name }),
  (first_name, last_name) => ({
    first_name,
    last_name: `${last_name[0]}${last_name[2] ?? ''}${last_name[1] ?? ''}${last_name.slice(3)}`,
  }),
  (first_name, last_name) => ({ first_name, last_name: last_name.slice(0, -1) }),
  (first_name, last_name) => ({ first_name: last_name, last_name: first_name || last_name }),
  (first_name, last_name) => ({ first_name: first_name.slice(0, 3), last_name: `${last_name}e` }),
  (_, last_name) => ({ first_name: 'Xanthippe', last_name }),
  (first_name) => ({ first_name, last_name: 'Lee' }),
]

const CHOICES = [
  '1.case.priority.is.priority_1_2_working_days',
  '2.case.client_setting.is.3.4',
  '3.case.section_status.is.2',
  '4.case.client_groups.is.3',
  '5.issue.upheld.is.upheld',
  '6.issue.objection.is.unclear',
  '3.issue.hearing_result.set',
  '1.case.first_contact_made.unset',
]

const SEVERAL = (month, last) => [
  `5.issue.organisation.contains.surgery*5.issue.upheld.is.upheld*5.case.date_received.between.${month}.${last}`,
  '1.case.priority.is.priority_1_2_working_days*1.case.instruction.is.instructed*2.case.instruction.is.instructed',
  '4.case.client_groups.is.3*4.case.client_groups.is.4*4.issue.msp_met.is.fully',
]
