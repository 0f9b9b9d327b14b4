import { describeWrongFiles, screen, type Wrong } from './wrongFiles.ts'

const list = (source: string, ...lines: string[]) =>
  screen('"route": "/NAME/{id}"', '"kind": "list"', '"title": "X"', `"source": "${source}"`, ...lines)
const ID = '"columns": ["id"]'

const LISTS: Wrong[] = [
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
    'a link to no screen',
    list('cases.list', '"columns": [{ "field": "id", "link": "/cases/{id}/detials" }]'),
    "6:40  there is nothing at '/cases/{id}/detials'; did you mean '/cases/{id}/details'?",
  ],
  [
    'a link with a placeholder that the row does not have',
    list('cases.list', '"columns": [{ "field": "id", "link": "/clients/{clint}/info" }]'),
    "6:40  there is no value for '{clint}'; did you mean 'client'?",
  ],
  [
    'a link with a filter that its screen does not have',
    list('cases.list', ID, '"toolbar": [{ "label": "Go", "to": "/dashboard/axes/accesslog?usernam=x" }]'),
    "7:38  '/dashboard/axes/accesslog' has no filter 'usernam'; did you mean 'username'?",
  ],
  [
    'a button that goes nowhere',
    list('cases.list', ID, '"toolbar": [{ "label": "Go", "to": "/case/new" }]'),
    "7:38  there is nothing at '/case/new'; did you mean '/case'?",
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
      '"toolbar": [{ "label": "Log", "sidePanel": "log-action", "initialValues": { "note": "x" } }]',
    ),
    "7:87  no field 'note' in action; did you mean 'notes'?",
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
    'a button whose call has no id of a record',
    screen(
      '"route": "/NAME"',
      '"kind": "list"',
      '"title": "X"',
      '"source": "cases.list"',
      ID,
      '"toolbar": [{ "label": "Retire", "call": "cases.retire" }]',
    ),
    "7:44  cases.retire needs a value for '{id}'",
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
    "7:106  there is no value for '{idz}'; did you mean 'id'?",
  ],
  [
    'candidates that are read by a parameter that the call does not know',
    list(
      'reports.allocations',
      ID,
      '"roles": "managers"',
      '"selection": [], "candidates": { "title": "Who", "source": "issues.candidates", "params": { "isues": "{ids}" }, "label": "{name}", "columns": ["hours"], "choose": { "label": "Assign", "to": "/profile" } }',
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
    list('worklist.list', ID, '"chips": [{ "label": "Late", "filter": { "du": "x" }, "count": "overdue" }]'),
    "7:50  no filter 'du' in worklist.list; did you mean 'due'?",
  ],
  [
    'a flag under a condition on a field that rows do not have',
    list(
      'cases.list',
      '"columns": [{ "field": "id", "flag": { "when": { "record.opn": 1 }, "label": "X" } }]',
    ),
    "6:66  no field 'opn' in caseRow",
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
      '"actions": [{ "label": "More", "menu": [{ "label": "Go", "call": "cases.read" }] }]',
    ),
    '7:68  cases.read changes nothing: it is GET /case/{id}/',
  ],
  [
    'a first column that is not shown',
    list('cases.list', '"columns": [{ "field": "id", "shown": false }]'),
    '6:41  rows are known by the first column, which is always shown',
  ],
  [
    'a button whose call changes nothing',
    list('cases.list', ID, '"actions": [{ "label": "Go", "call": "cases.read" }]'),
    '7:40  cases.read changes nothing: it is GET /case/{id}/',
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
    list(
      'issues.mine',
      ID,
      '"actions": [{ "label": "Close", "call": "issues.close", "values": { "reasons": [1] }, "form": "assign" }]',
      '"roles": "caseworkers"',
    ),
    "7:97  no field 'advocate' in closeIssue",
  ],
  [
    'a question with a placeholder that nothing fills',
    list(
      'cases.list',
      ID,
      '"actions": [{ "label": "Go", "call": "cases.retire", "confirm": "Retire {client_nmae}?" }]',
    ),
    "7:67  there is no value for '{client_nmae}'; did you mean 'client_name'?",
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
    "7:25  'chnage' is not one of the options of 'kind'; did you mean 'change'?",
  ],
]

describeWrongFiles('screens', LISTS)
