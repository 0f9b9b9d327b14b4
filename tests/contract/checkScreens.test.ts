import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadContract } from '../../src/check/load.ts'
import { printProblem } from '../../src/contract/locate.ts'
import { copyContract, describeWrongFiles, screen, type Wrong } from './wrongFiles.ts'

const form = (...lines: string[]) =>
  screen('"route": "/NAME/{id}"', '"kind": "form"', '"title": "X"', ...lines)
const reportOf = (source: string, ...lines: string[]) =>
  screen(
    '"route": "/NAME"',
    '"kind": "report"',
    '"title": "X", "roles": "overseers"',
    `"source": "${source}"`,
    ...lines,
  )
/** A wizard whose only step can begin with a client that is there. */
const existing = (...parts: string[]) =>
  screen(
    '"route": "/NAME"',
    '"kind": "wizard"',
    '"title": "X", "roles": "writers"',
    '"save": "cases.create"',
    `"steps": [{ "id": "a", "title": "A", "entity": "client", "existing": { "search": "clients.find", "read": "clients.read", "label": "client", ${parts.join(', ')} } }, { "id": "b", "title": "B" }]`,
  )
const READ = '"read": "clients.read"'
const NAME = '"groups": [{ "fields": ["first_name"] }]'

/** Screens of every kind but lists. */
const SCREENS: Wrong[] = [
  [
    'a form that saves by reading',
    form(READ, '"save": "clients.read"', NAME),
    '6:11  clients.read changes nothing: it is GET /client/{id}/index/',
  ],
  [
    'a record that is read by changing it',
    form('"read": "clients.update"', NAME, '"roles": "writers"'),
    '5:11  clients.update changes something: it is PATCH /client/{id}/update/',
  ],
  [
    'effects of a form that saves nothing',
    form(
      READ,
      NAME,
      '"roles": "admin", "fixedParams": { "type": "bank_holiday" }',
      '"effects": { "call": "admin.changeEffects", "label": "X" }',
    ),
    "8:14  asks before saving, but the screen has no 'save'",
  ],
  [
    'effects by a call that saves',
    form(READ, '"save": "clients.update"', NAME, '"effects": { "call": "clients.update", "label": "X" }'),
    '8:24  clients.update may save something: write "touches": [] into it',
  ],
  [
    'effects that not everybody who saves may ask for',
    form(
      READ,
      '"save": "clients.update"',
      NAME,
      '"fixedParams": { "type": "bank_holiday" }, "effects": { "call": "admin.addEffects", "label": "X" }',
    ),
    '8:67  AdvocateManager, PartnerManager, Volunteeradvocate, Advocate, HUB, Partner, HubManager, CommissionerAdvocate may open the screen but not call admin.addEffects',
  ],
  [
    'a parent that is no screen',
    form(READ, NAME, '"parent": [{ "label": "All", "to": "/dashboard/advocate" }]'),
    "7:38  there is nothing at '/dashboard/advocate'; did you mean '/dashboard/advocates'?",
  ],
  [
    'a placeholder of a parent that nothing fills',
    form(READ, NAME, '"parent": [{ "label": "{fist_name}", "to": "/profile" }]'),
    "7:25  there is no value for '{fist_name}'; did you mean 'first_name'?",
  ],
  [
    'a place to go afterwards that is no screen',
    screen(
      '"route": "/NAME"',
      '"kind": "form"',
      '"title": "X"',
      '"roles": "writers", "save": "activities.create"',
      '"groups": [{ "fields": ["notes"] }]',
      '"then": "/dashboard/my-activitys"',
    ),
    "7:11  there is nothing at '/dashboard/my-activitys'; did you mean '/dashboard/my-activities'?",
  ],
  [
    'a placeholder of the title that nothing fills',
    form(READ, NAME).replace('"X"', '"About {frist_name}"'),
    "4:12  there is no value for '{frist_name}'; did you mean 'first_name'?",
  ],
  [
    'a condition of a section on a field that the record does not have',
    form(READ, '"groups": [{ "fields": ["notes"], "when": { "gendre": 1 } }]'),
    "6:57  no field 'gendre' in client; did you mean 'gender'?",
  ],
  [
    'a condition that compares with a field that the record does not have',
    form(READ, '"groups": [{ "fields": ["notes"], "when": { "gender": { "not": { "path": "gendre" } } } }]'),
    "6:57  no field 'gendre' in client; did you mean 'gender'?",
  ],
  [
    'a condition inside any on what is not read',
    form(READ, '"groups": [{ "fields": ["notes"], "when": { "any": [{ "with.cas.id": 1 }] } }]'),
    "6:72  no 'cas' under 'with'",
  ],
  [
    'a further read of a path that the record does not have',
    form(
      '"read": "cases.read"',
      '"with": { "last": { "read": "caseTypes.read", "id": "record.case_typ" } }',
      '"groups": [{ "fields": ["contract"] }]',
    ),
    "6:55  no field 'case_typ' in case; did you mean 'case_type'?",
  ],
  [
    'a further read that lacks a part of its call',
    form(
      READ,
      '"with": { "case": { "read": "admin.form", "id": "record.id", "params": { "type": "record.id" } } }',
      NAME,
      '"roles": "admin"',
    ),
    "6:31  admin.form needs a value for '{app}'",
  ],
  [
    'a further read with a part that its call does not have',
    form(
      READ,
      '"with": { "case": { "read": "cases.read", "params": { "idd": "record.id", "id": "record.id" } } }',
      NAME,
    ),
    "6:64  cases.read has no '{idd}'; did you mean 'id'?",
  ],
  [
    'groups from a meta that is not there',
    form(
      '"read": "cases.read"',
      '"with": { "type": { "read": "caseTypes.read", "id": "record.case_type" } }',
      '"groups": [{ "from": "with.type.casemeta", "at": "answers" }]',
    ),
    "7:24  no field 'casemeta' in caseType; did you mean 'case_meta'?",
  ],
  [
    'groups from what is not read',
    form('"read": "cases.read"', '"groups": [{ "from": "with.typ.case_meta", "at": "answers" }]'),
    "6:24  no 'typ' under 'with'",
  ],
  [
    'groups from a plain field',
    form(
      '"read": "cases.read"',
      '"with": { "type": { "read": "caseTypes.read", "id": "record.case_type" } }',
      '"groups": [{ "from": "with.type.label", "at": "answers" }]',
    ),
    "7:24  'with.type.label' holds no groups of fields",
  ],
  [
    'answers at a place that the record does not have',
    form(
      '"read": "cases.read"',
      '"with": { "type": { "read": "caseTypes.read", "id": "record.case_type" } }',
      '"groups": [{ "from": "with.type.case_meta", "at": "answer" }]',
    ),
    "7:53  no field 'answer' in case; did you mean 'answers'?",
  ],
  [
    'an initial value of a field that is not there',
    screen(
      '"route": "/NAME"',
      '"kind": "form"',
      '"title": "X"',
      '"roles": "writers", "save": "activities.create"',
      '"initialValues": { "typ": "query.type" }',
      '"groups": [{ "fields": ["notes"] }]',
    ),
    "6:29  no field 'typ' in activity; did you mean 'type'?",
  ],
  [
    'an initial value from what is not read',
    screen(
      '"route": "/NAME"',
      '"kind": "form"',
      '"title": "X"',
      '"roles": "writers", "save": "activities.create"',
      '"initialValues": { "type": "with.last.type" }',
      '"groups": [{ "fields": ["notes"] }]',
    ),
    "6:30  no 'last' under 'with'",
  ],
  [
    'fields as one list that do not hang on each other',
    screen(
      '"route": "/NAME"',
      '"kind": "form"',
      '"title": "X"',
      '"roles": "writers", "save": "activities.create"',
      '"groups": [{ "fields": ["type", "notes"], "grouped": { "type": { "by": "notes" } } }]',
    ),
    "6:66  no lookup_params of 'type' is '$notes'",
  ],
  [
    'a call of a screen whose address lacks a part of it',
    screen(
      '"route": "/NAME"',
      '"kind": "form"',
      '"title": "X"',
      '"save": "signposts.create"',
      '"roles": "writers"',
      '"groups": [{ "fields": ["notes"] }]',
    ),
    "5:11  signposts.create needs a value for '{id}': write {id} into 'route', or give it in 'fixedParams'",
  ],
  [
    'a tag that the record does not have',
    screen(
      '"route": "/cases"',
      '"kind": "detail"',
      '"title": "X"',
      '"read": "auth.me"',
      '"tags": ["usrname"]',
      '"tabs": ["case-details"]',
    ),
    "6:12  no field 'usrname' in me; did you mean 'username'?",
  ],
  [
    'a tab whose address is not within that of its screen',
    screen(
      '"route": "/NAME/{id}"',
      '"kind": "detail"',
      '"title": "X"',
      '"read": "cases.read"',
      '"tabs": ["case-details"]',
    ),
    "6:12  the address of tab 'case-details' must begin with '/NAME/{id}/'",
  ],
  [
    'two steps of one id',
    screen(
      '"route": "/NAME"',
      '"kind": "wizard"',
      '"title": "X"',
      '"roles": "writers"',
      '"save": "cases.create"',
      '"steps": [{ "id": "a", "title": "A" }, { "id": "a", "title": "B" }]',
    ),
    "7:50  'a' is already the id of step 1",
  ],
  [
    'marks that found records do not have',
    existing('"marks": "alert"'),
    "6:152  no field 'alert' in what clients.find finds; did you mean 'alerts'?",
  ],
  [
    'a name of found records with a field that they do not have',
    existing('"name": ["first_name", "lastname"]'),
    "6:166  no field 'lastname' in what clients.find finds; did you mean 'last_name'?",
  ],
  [
    'details of found records that they do not have',
    existing('"details": ["dbo"]'),
    "6:155  no field 'dbo' in what clients.find finds; did you mean 'dob'?",
  ],
  [
    'a question about a likely duplicate that asks nobody',
    existing('"ask": "clients.read"'),
    '6:150  clients.read changes nothing: it is GET /client/{id}/index/',
  ],
  [
    'a search that fills a field which new records do not have',
    existing('"box": { "label": "Who?", "fills": { "first": "fist_name" } }'),
    "6:189  no field 'fist_name' in client; did you mean 'first_name'?",
  ],
  [
    'a search with more fields that is no screen',
    existing('"box": { "label": "Who?", "fills": {}, "advanced": "/search/client" }'),
    "6:194  there is nothing at '/search/client'; did you mean '/search/clients'?",
  ],
  [
    'a report of what gives no figures',
    reportOf('reports.issueRows', '"by": ["month"]', '"measures": ["time"]'),
    "5:13  reports.issueRows gives no figures: it does 'list issueFact'",
  ],
  [
    'a report by a dimension that is not there',
    reportOf('reports.work', '"by": ["monht"]', '"measures": ["time"]'),
    "6:10  reports.work has no dimension 'monht'; did you mean 'month'?",
  ],
  [
    'a report of a measure that is not there',
    reportOf('reports.work', '"by": ["month"]', '"measures": ["tiem"]'),
    "7:16  reports.work has no measure 'tiem'; did you mean 'time'?",
  ],
  [
    'a protected report by two dimensions',
    reportOf('reports.figures', '"by": ["month", "service"]', '"measures": ["people"]'),
    '6:19  reports.figures gives figures by one dimension only',
  ],
  [
    'a report that leads to rows of something else',
    reportOf('reports.work', '"by": ["month"]', '"measures": ["time"]', '"rows": "issue-facts"'),
    "8:11  'issue-facts' does not list the rows that reports.work counts",
  ],
  [
    'a filter that the figures have not',
    reportOf('reports.work', '"by": ["month"]', '"measures": ["time"]', '"filters": ["gender"]'),
    "8:15  no filter 'gender' in reports.work; did you mean 'end'?",
  ],
]

const MENUS: Wrong[] = [
  [
    'a menu entry that goes nowhere',
    screen(
      '"dashboard": []',
      '"side": [{ "label": "New", "icon": "plus", "to": "/case/new" }]',
      '"shortcuts": []',
    ),
    "3:52  there is nothing at '/case/new'; did you mean '/case'?",
  ],
  [
    'a menu entry that needs to know more',
    screen('"dashboard": ["case"]', '"side": []', '"shortcuts": []'),
    "2:17  'case' has '{id}' in its address, for which a menu has no value",
  ],
]

describeWrongFiles('screens', SCREENS)

describe('in the menus', () => {
  let copy = ''
  beforeAll(() => {
    copy = copyContract()
  })
  afterAll(() => fs.rmSync(copy, { recursive: true }))

  it.each(MENUS)('%s', (_, text, expected) => {
    const file = path.join(copy, 'screens/menu.json')
    const before = fs.readFileSync(file, 'utf8')
    fs.writeFileSync(file, text)
    const found = loadContract(copy).problems.map(printProblem)
    fs.writeFileSync(file, before)
    expect(found).toEqual([`screens/menu.json:${expected}`])
  })
})
