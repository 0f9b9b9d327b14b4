import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadContract } from '../../src/contract/load.ts'
import { printProblem } from '../../src/contract/locate.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

const root = path.join(import.meta.dirname, '../..')
let copy = ''
beforeAll(() => {
  copy = temporaryFolder('contract-')
  for (const folder of ['schemas', 'screens'])
    fs.cpSync(path.join(root, folder), path.join(copy, folder), { recursive: true })
})
afterAll(() => fs.rmSync(copy, { recursive: true }))

type Wrong = [mistake: string, text: string, expected: string]

/** Writes every wrong file under a name of its own (NAME in its text), and answers what the check says of each. */
function problemsOf(folder: string, all: Wrong[]): string[][] {
  const files = all.map((_, i) => `${folder}/x${String(i).padStart(2, '0')}.json`)
  for (const [i, file] of files.entries())
    fs.writeFileSync(path.join(copy, file), all[i][1].replaceAll('NAME', path.basename(file, '.json')))
  const { problems } = loadContract(copy)
  for (const file of files) fs.rmSync(path.join(copy, file))
  return files.map((file) =>
    problems.filter((one) => one.file === file).map((one) => printProblem({ ...one, file: '' }).slice(1)),
  )
}

/** A new screen, a key a line. */
const screen = (...lines: string[]) => `{\n${lines.map((line) => `  ${line}`).join(',\n')}\n}\n`
const list = (source: string, ...lines: string[]) =>
  screen('"route": "/NAME/{id}"', '"kind": "list"', '"title": "X"', `"source": "${source}"`, ...lines)
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
const ID = '"columns": ["id"]'
const READ = '"read": "clients.read"'
const NAME = '"groups": [{ "fields": ["first_name"] }]'

// Each line is as an author would write it wrongly, with the one message that tells.
const SCREENS: Wrong[] = [
  [
    'a list of what is no list',
    list('clients.read', ID),
    "5:13  clients.read gives no list: it does 'read client'",
  ],
  [
    'a list by a call that gives no pages',
    list('sessions.mine', ID),
    "5:13  sessions.mine gives no pages: it has no 'paged' among its query groups",
  ],
  [
    'an Excel file of a call that gives none',
    list('cases.issueOptions', ID, '"pages": false'),
    '5:13  cases.issueOptions gives no Excel file: it has no \'exported\' among its query groups; or say "export": false',
  ],
  [
    'a list by a call that changes something',
    list('clients.retire', ID, '"roles": "writers"'),
    '5:13  clients.retire changes something: it is GET /client/{id}/retire/',
  ],
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
    'a link to no screen',
    list('cases.list', '"columns": [{ "field": "id", "link": "/cases/{id}/detials" }]'),
    "6:40  nothing stands at '/cases/{id}/detials'; did you mean '/cases/{id}/details'?",
  ],
  [
    'a link with a placeholder that the row does not have',
    list('cases.list', '"columns": [{ "field": "id", "link": "/clients/{clint}/info" }]'),
    "6:40  nothing fills '{clint}'; did you mean 'client'?",
  ],
  [
    'a link with a filter that its screen does not have',
    list('cases.list', ID, '"toolbar": [{ "label": "Go", "to": "/dashboard/axes/accesslog?usernam=x" }]'),
    "7:38  '/dashboard/axes/accesslog' reads no 'usernam'; did you mean 'username'?",
  ],
  [
    'a button that goes nowhere',
    list('cases.list', ID, '"toolbar": [{ "label": "Go", "to": "/case/new" }]'),
    "7:38  nothing stands at '/case/new'; did you mean '/case'?",
  ],
  [
    'a parent that is no screen',
    form(READ, NAME, '"parent": [{ "label": "All", "to": "/dashboard/advocate" }]'),
    "7:38  nothing stands at '/dashboard/advocate'; did you mean '/dashboard/advocates'?",
  ],
  [
    'a placeholder of a parent that nothing fills',
    form(READ, NAME, '"parent": [{ "label": "{fist_name}", "to": "/profile" }]'),
    "7:25  nothing fills '{fist_name}'; did you mean 'first_name'?",
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
    "7:11  nothing stands at '/dashboard/my-activitys'; did you mean '/dashboard/my-activities'?",
  ],
  [
    'a placeholder of the title that nothing fills',
    form(READ, NAME).replace('"X"', '"About {frist_name}"'),
    "4:12  nothing fills '{frist_name}'; did you mean 'first_name'?",
  ],
  [
    'a condition of a button on a field that the row does not have',
    list(
      'cases.list',
      ID,
      '"actions": [{ "label": "Go", "to": "/profile", "when": { "record.statos": 1 } }]',
    ),
    "7:77  no field 'statos' in caseRow; did you mean 'status'?",
  ],
  [
    'a condition of a button that forgets its root',
    list('cases.list', ID, '"actions": [{ "label": "Go", "to": "/profile", "when": { "status": 1 } }]'),
    "7:70  a path begins with record, form, with, user, query; no 'status' here",
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
      '"with": { "type": { "read": "caseTypes.read", "id": "record.case_typ" } }',
      '"groups": [{ "fields": ["contract"] }]',
    ),
    "6:55  no field 'case_typ' in case; did you mean 'case_type'?",
  ],
  [
    'a further read that lacks a part of its call',
    form(
      READ,
      '"with": { "form": { "read": "admin.form", "id": "record.id", "params": { "type": "record.id" } } }',
      NAME,
      '"roles": "admin"',
    ),
    "6:31  nothing says which '{app}' admin.form is called with",
  ],
  [
    'a further read with a part that its call does not have',
    form(
      READ,
      '"with": { "one": { "read": "cases.read", "params": { "idd": "record.id", "id": "record.id" } } }',
      NAME,
    ),
    "6:63  cases.read has no '{idd}'; did you mean 'id'?",
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
    'an offer that opens nothing',
    screen(
      '"route": "/NAME"',
      '"kind": "list"',
      '"title": "X"',
      '"source": "cases.list"',
      ID,
      '"toolbar": [{ "label": "Add", "to": "/case", "offer": { "label": "Log", "to": "/case" } }]',
    ),
    "7:57  'Log' opens no form beside the page",
  ],
  [
    'later days of a date that the call does not set',
    screen(
      '"route": "/NAME"',
      '"kind": "list"',
      '"title": "X"',
      '"source": "tasks.list"',
      ID,
      '"actions": [{ "label": "Later", "call": "tasks.update", "later": { "field": "due", "value": "dew", "form": "postpone" }, "done": "It" }]',
    ),
    "7:95  no field 'dew' in task; did you mean 'due'?",
  ],
  [
    'later days that nothing sets',
    screen(
      '"route": "/NAME"',
      '"kind": "list"',
      '"title": "X"',
      '"source": "tasks.list"',
      ID,
      '"actions": [{ "label": "Later", "later": { "field": "due", "value": "due", "form": "postpone" } }]',
    ),
    "7:44  'Later' offers later days, but has no 'call' or 'done' for them",
  ],
  [
    'a value of a form beside the page that it does not have',
    screen(
      '"route": "/NAME"',
      '"kind": "list"',
      '"title": "X"',
      '"source": "cases.list"',
      ID,
      '"toolbar": [{ "label": "Log", "beside": "log-action", "initialValues": { "note": "x" } }]',
    ),
    "7:84  no field 'note' in action; did you mean 'notes'?",
  ],
  [
    'a value of a form in a dialog that it does not have',
    screen(
      '"route": "/NAME"',
      '"kind": "list"',
      '"title": "X"',
      '"source": "cases.list"',
      ID,
      '"toolbar": [{ "label": "Digest", "call": "auth.setDigest", "form": "setDigest", "initialValues": { "digst": "x" } }]',
    ),
    "7:111  no field 'digst' in setDigest; did you mean 'digest'?",
  ],
  [
    'a button whose call nobody tells which record',
    screen(
      '"route": "/NAME"',
      '"kind": "list"',
      '"title": "X"',
      '"source": "cases.list"',
      ID,
      '"toolbar": [{ "label": "Close", "call": "issues.close" }]',
    ),
    "7:43  nothing says which '{id}' issues.close is called with",
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
    "5:11  nothing says which '{id}' signposts.create is called with: write {id} into 'route', or give it in 'fixedParams'",
  ],
  [
    'rows that are ticked in a sheet',
    list('cases.list', ID, '"layout": "grid"', '"selection": []'),
    '8:16  rows can be ticked in a table only, not in a grid',
  ],
  [
    'a button for ticked rows that takes what no row has',
    list(
      'cases.list',
      ID,
      '"selection": [{ "label": "Go", "call": "issues.assignSeveral", "form": "assign", "values": { "issues": "{idz}" } }]',
    ),
    "7:106  nothing fills '{idz}'; did you mean 'id'?",
  ],
  [
    'candidates that are read by a parameter that the call does not know',
    list(
      'reports.allocations',
      ID,
      '"roles": "managers"',
      '"selection": [], "candidates": { "title": "Who", "source": "issues.candidates", "params": { "isues": "{ids}" }, "label": "{name}", "columns": ["hours"], "choose": { "label": "Assign" } }',
    ),
    "8:104  issues.candidates has no parameter 'isues'; did you mean 'issues'?",
  ],
  [
    'captions by what has no choices',
    list('cases.list', ID, '"groupBy": "client_name"'),
    "7:14  'client_name' has no options that could head its rows",
  ],
  [
    'a quick filter by what is none',
    list('cases.list', ID, '"chips": [{ "label": "Late", "filter": { "du": "x" }, "count": "late" }]'),
    "7:50  no filter 'du'; did you mean 'p'?",
  ],
  [
    'a tick whose call does not say of what',
    list(
      'cases.list',
      '"columns": [{ "field": "state", "tick": { "label": "Done", "call": "tasks.complete", "params": { "id": "task" } } }]',
    ),
    "6:106  no field 'task' in caseRow",
  ],
  [
    'a menu with a button that changes nothing',
    list(
      'cases.list',
      ID,
      '"actions": [{ "label": "More", "menu": [{ "label": "Go", "call": "issues.read" }] }]',
    ),
    '7:68  issues.read changes nothing: it is GET /issue/{id}/',
  ],
  [
    'a first column that is not shown',
    list('cases.list', '"columns": [{ "field": "id", "shown": false }]'),
    '6:41  rows are known by the first column, which is always shown',
  ],
  [
    'a button whose call changes nothing',
    list('cases.list', ID, '"actions": [{ "label": "Go", "call": "issues.read" }]'),
    '7:40  issues.read changes nothing: it is GET /issue/{id}/',
  ],
  [
    'a fixed value that the body of the call does not have',
    list(
      'staff.list',
      ID,
      '"actions": [{ "label": "Out", "call": "staff.edit", "values": { "stauts": 2 } }]',
      '"roles": "admin"',
    ),
    "7:77  no field 'stauts' in staff; did you mean 'status'?",
  ],
  [
    'a dialog for a body that the call does not take',
    list('cases.list', ID, '"actions": [{ "label": "Close", "call": "issues.close", "form": "assign" }]'),
    "7:67  no field 'advocate' in closeIssue",
  ],
  [
    'a question with a placeholder that nothing fills',
    list(
      'cases.list',
      ID,
      '"actions": [{ "label": "Go", "call": "issues.retire", "confirm": "Retire {client_nmae}?" }]',
    ),
    "7:68  nothing fills '{client_nmae}'; did you mean 'client_name'?",
  ],
  [
    'a screen open to roles that may not read it',
    screen(
      '"route": "/NAME"',
      '"kind": "list"',
      '"title": "X"',
      '"roles": "writers"',
      '"source": "staff.list"',
      ID,
    ),
    '6:13  Volunteeradvocate, Advocate, HUB, Partner, CommissionerAdvocate may open the screen but not call staff.list',
  ],
  [
    'a column that its call does not sort by',
    list('drafts.list', '"columns": [{ "field": "id", "sort": true }]'),
    "6:40  drafts.list does not sort: it has no 'sorted' among its query groups",
  ],
  [
    'a column whose values are computed for each reader, to sort by',
    list('clients.list', '"columns": [{ "field": "open_case_count", "sort": true }]'),
    '6:53  open_case_count is computed for its reader: no list sorts by it',
  ],
  [
    'a default of a filter that the call does not have',
    list('staff.list', ID, '"defaults": { "rol": "4" }', '"roles": "overseers"'),
    "7:24  no filter 'rol' in staff.list; did you mean 'role'?",
  ],
  [
    'a default that its filter cannot be',
    list('staff.list', ID, '"defaults": { "role": "four" }', '"roles": "overseers"'),
    "7:25  'four' must be a whole number",
  ],
  [
    'a default that is none of the options',
    list('chronology.ofCase', ID, '"defaults": { "kind": "action,chnage" }'),
    "7:25  'chnage' is none of the options of 'kind'; did you mean 'change'?",
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

const call = (key: string, ...parts: string[]) =>
  `{\n  "${key}": { ${parts.join(', ')}, "roles": "staff" }\n}\n`
const entity = (properties: string, ...lines: string[]) =>
  screen('"$id": "NAME"', '"title": "X"', '"type": "object"', `"properties": { ${properties} }`, ...lines)

const factsOf = (day: string, dimension: string, measure: string) =>
  entity(
    '"a": { "title": "A" }, "day": { "title": "Day" }',
    `"facts": { "title": "Things", ${day}, "dimensions": { ${dimension} }, "measures": { ${measure} } }`,
  )

const CALLS: Wrong[] = [
  [
    'a handler that does not exist',
    call('NAME.one', '"call": "GET /NAME"', '"does": "cases.lsit"'),
    "2:44  no handler 'cases.lsit' in src/server/handlers; did you mean 'cases.list'?",
  ],
  [
    'one address for two calls',
    call('NAME.one', '"call": "GET /case/{case}/"', '"does": "cases.list"'),
    "2:24  'GET /case/{case}/' is already the call of cases.read",
  ],
  [
    'a record that is read without an id',
    call('NAME.one', '"call": "GET /NAME"', '"does": "read case"'),
    "2:24  'read case' needs an {id} in its path",
  ],
  [
    'an id of a path that a list ignores',
    call('NAME.one', '"call": "GET /NAME/{id}"', '"does": "list issueRow"'),
    "2:24  nothing takes '{id}': name the field in 'by'",
  ],
  [
    'a part of a path that no verb takes',
    call('NAME.one', '"call": "GET /NAME/{case}/{id}"', '"does": "read issue"'),
    "2:24  nothing takes '{case}': verbs take only {id}",
  ],
  [
    'a verb that sets a status which the entity does not have',
    call('NAME.one', '"call": "GET /NAME/{id}"', '"does": "retire activity"'),
    "2:49  'retire activity' sets 'status', which is no field of activity",
  ],
  [
    'a verb on an entity without rows of its own',
    call('NAME.one', '"call": "GET /NAME"', '"does": "list created"'),
    "2:44  created has no 'table' to list",
  ],
  [
    'an order by a field that is not there',
    call('NAME.one', '"call": "GET /NAME"', '"does": "list issueRow"', '"order": ["-strat_date"]'),
    "2:71  no field 'strat_date' in issueRow; did you mean 'start_date'?",
  ],
  [
    'figures of what has no facts',
    call('NAME.one', '"call": "GET /NAME"', '"does": "figures issueRow"', '"query": ["issueFactFigures"]'),
    '2:44  issueRow has no facts to count',
  ],
  [
    'figures that answer something else',
    call('NAME.one', '"call": "GET /NAME"', '"does": "figures issueFact"', '"query": ["issueFactFigures"]'),
    "2:14  figures of issueFact answer 'issueFactFigures'",
  ],
  [
    'a list that is protected',
    call('NAME.one', '"call": "GET /NAME"', '"does": "list issueRow"', '"protect": true'),
    '2:72  only figures are protected',
  ],
]

const ENTITIES: Wrong[] = [
  [
    'a default that the field could not hold',
    entity('"a": { "title": "A", "type": "integer", "default": "one" }'),
    '5:70  the default must be of the type integer',
  ],
  [
    'a default that is none of the options',
    entity(
      '"a": { "title": "A", "type": "integer", "options": [{ "value": 1, "label": "One" }], "default": 2 }',
    ),
    "5:115  '2' is none of the field's options",
  ],
  [
    'today for a number',
    entity('"a": { "title": "A", "type": "integer", "default": "today" }'),
    "5:70  'today' is for a field of the format date or date-time",
  ],
  [
    'a condition on a field that is not there',
    entity('"one": { "title": "A", "type": "integer", "when": { "tow": 1 } }, "two": { "title": "B" }'),
    "5:78  no field 'tow' in NAME; did you mean 'two'?",
  ],
  [
    'a rule that does not exist',
    entity('"a": { "title": "A", "type": "string", "rules": ["not_futur"] }'),
    "5:68  no rule 'not_futur'; did you mean 'not_future'?",
  ],
  [
    'a rule about a field that is not there',
    entity('"a": { "title": "A", "type": "string", "rules": ["after:b"] }, "c": { "title": "C" }'),
    "5:68  no field 'b' in NAME; did you mean 'a'?",
  ],
  [
    'a lookup narrowed by what it does not know',
    entity(
      '"a": { "title": "A", "type": "integer", "lookup": "issue_types", "lookup_params": { "servce": 1 } }',
    ),
    "5:113  issue_types is not narrowed by 'servce'; did you mean 'service'?",
  ],
  [
    'a lookup narrowed by a field that is not there',
    entity(
      '"a": { "title": "A", "type": "integer", "lookup": "issue_types", "lookup_params": { "service": "$b" } }',
    ),
    "5:114  no field 'b' in NAME; did you mean 'a'?",
  ],
  [
    'a name of a record with a field that is not there',
    entity('"label": { "title": "A" }', '"named": "{lable}"'),
    "6:12  nothing fills '{lable}'; did you mean 'label'?",
  ],
  [
    'facts of a day that is not there',
    factsOf('"day": "dya"', '"a": {}', '"n": { "title": "N", "count": true }'),
    "6:40  no field 'dya' in NAME; did you mean 'day'?",
  ],
  [
    'a dimension that is no field',
    factsOf('"day": "day"', '"aa": {}', '"n": { "title": "N", "count": true }'),
    "6:69  no field 'aa' in NAME; did you mean 'a'?",
  ],
  [
    'a measure that says two things',
    factsOf('"day": "day"', '"a": {}', '"n": { "title": "N", "count": true, "sum": "a" }'),
    '6:93  a measure says one of count, sum, distinct, average',
  ],
  [
    'a measure of a field that is not there',
    factsOf('"day": "day"', '"a": {}', '"n": { "title": "N", "sum": "aa" }'),
    "6:116  no field 'aa' in NAME; did you mean 'a'?",
  ],
  [
    'a measure of rows that no list could show alone',
    factsOf('"day": "day"', '"a": {}', '"n": { "title": "N", "count": true, "where": { "day": "x" } }'),
    "6:142  no dimension 'day'; did you mean 'a'?",
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
    "3:52  nothing stands at '/case/new'; did you mean '/case'?",
  ],
  [
    'a menu entry that needs to know more',
    screen('"dashboard": ["case"]', '"side": []', '"shortcuts": []'),
    "2:17  'case' needs to know which '{id}': a menu does not",
  ],
]

describe.each([
  ['screens', SCREENS],
  ['schemas/endpoints', CALLS],
  ['schemas/entities', ENTITIES],
])('in %s, what names something that is not there is refused with its place', (folder, all) => {
  let found: string[][]
  beforeAll(() => {
    found = problemsOf(folder, all)
  })
  it.each(all.map(([mistake, , expected], i) => ({ mistake, expected, i })))(
    '$mistake',
    ({ expected, i }) => {
      const name = `x${String(i).padStart(2, '0')}`
      expect(found[i]).toEqual([expected.replaceAll('NAME', name)])
    },
  )
})

describe('in the menus', () => {
  it.each(MENUS)('%s', (_, text, expected) => {
    const file = path.join(copy, 'screens/menu.json')
    const before = fs.readFileSync(file, 'utf8')
    fs.writeFileSync(file, text)
    const found = loadContract(copy).problems.map(printProblem)
    fs.writeFileSync(file, before)
    expect(found).toEqual([`screens/menu.json:${expected}`])
  })
})
