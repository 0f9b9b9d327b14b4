import { describeWrongFiles, screen, type Wrong } from './wrongFiles.ts'

const list = (source: string, ...lines: string[]) =>
  screen(
    '"route": "/NAME"',
    '"kind": "list"',
    '"title": "X"',
    `"source": "${source}"`,
    '"columns": ["id"]',
    ...lines,
  )
const button = (source: string, ...parts: string[]) =>
  list(source, `"actions": [{ "label": "Go", ${parts.join(', ')} }]`)
const form = (...lines: string[]) =>
  screen('"route": "/NAME/{id}"', '"kind": "form"', '"title": "X"', ...lines)
const wizard = (step: string, ...lines: string[]) =>
  screen(
    '"route": "/NAME"',
    '"kind": "wizard"',
    '"title": "X"',
    '"roles": "writers", "save": "cases.create"',
    `"steps": [{ "id": "a", "title": "A", "entity": "client", ${step} }, { "id": "b", "title": "B" }]`,
    ...lines,
  )
const call = (...parts: string[]) => `{\n  "NAME.one": { ${parts.join(', ')}, "roles": "staff" }\n}\n`

/** Keys that mean something only beside another one. */
const BESIDE: Wrong[] = [
  [
    'the body of an Undo without its call',
    button('tasks.list', '"call": "tasks.complete"', '"undoValues": {}'),
    "7:58  'undoValues' needs 'undo' beside it",
  ],
  [
    'a draft of a form that saves nothing',
    form('"read": "clients.read"', '"groups": [{ "fields": ["notes"] }]', '"draft": "case"'),
    "7:3  'draft' needs 'save' beside it",
  ],
  [
    'the answers that are missing of a form that shows all',
    form('"read": "clients.read"', '"groups": [{ "fields": ["notes"], "unanswered": "not asked" }]'),
    "6:37  'unanswered' needs 'answered' beside it",
  ],
]

/** Texts that people would read with their braces. */
const PLACEHOLDERS: Wrong[] = [
  [
    'a placeholder in a text in which nothing is replaced',
    list('tasks.list', '"empty": "There is nothing for {title}"'),
    "7:12  '{title}' is not replaced in this text: leave it out",
  ],
  [
    'a placeholder in the name of a button',
    list('tasks.list', '"actions": [{ "label": "Complete {title}", "call": "tasks.complete" }]'),
    "7:26  '{title}' is not replaced in this text: leave it out",
  ],
]

const BUTTONS: Wrong[] = [
  [
    'a button that does nothing',
    button('tasks.list', '"icon": "plus"'),
    "7:15  'Go' does nothing: give it one of call, to, sidePanel, menu, upload, download, print, explains",
  ],
  [
    'a button that does two things',
    button('tasks.list', '"call": "tasks.complete"', '"to": "/profile"'),
    "7:64  'Go' has 'call' already: a button does one thing",
  ],
  [
    'a parameter that no call of a button takes',
    button('tasks.list', '"call": "tasks.complete"', '"params": { "idd": "id" }'),
    "7:77  nothing here takes '{idd}'; did you mean 'id'?",
  ],
  [
    'an ending that no file has',
    button(
      'tasks.list',
      '"upload": "tasks.create"',
      '"values": { "title": "X", "due": "+7d" }',
      '"accept": [".xlxs"]',
    ),
    "7:111  no file ends in '.xlxs'; did you mean '.xlsx'?",
  ],
]

const IDS: Wrong[] = [
  [
    'the issue of a row for its case',
    button('tasks.list', '"call": "tasks.update"', '"values": { "case": "{issue}" }'),
    "7:76  'case' takes an id of 'case', and 'issue' is one of 'issue'; write {case}",
  ],
  [
    'the id of one record for all',
    button('tasks.list', '"call": "tasks.update"', '"values": { "case": 7 }'),
    "7:76  7 is the id of one case: write the field that has it, such as '{id}'",
  ],
  [
    'an issue of the address for a case',
    screen(
      '"route": "/NAME"',
      '"kind": "form"',
      '"title": "X"',
      '"roles": "writers", "save": "actions.create"',
      '"initialValues": { "case": "query.issue" }',
      '"groups": [{ "fields": ["notes"] }]',
    ),
    "6:30  'case' takes an id of 'case', and 'query.issue' is one of 'issue'",
  ],
  [
    'a text before a value in an address',
    button('tasks.list', '"to": "/clients/x{client}/info"'),
    "7:38  'x{client}' is a part of an address that mixes a placeholder with other text: write one or the other",
  ],
  [
    'a text before a value of a filter',
    button('tasks.list', '"to": "/case?client=x{client}"'),
    "7:38  'client=x{client}' mixes a placeholder with other text: write one or the other",
  ],
  [
    'a number for the entity of a record',
    list('tasks.list').replace(
      '["id"]',
      '[{ "field": "title", "record": { "entity": "case", "id": "case" } }]',
    ),
    "6:57  the entity of a record is a text, and 'case' is not one",
  ],
]

const DATA: Wrong[] = [
  [
    'data that is neither read nor there',
    form('"read": "cases.read"', '"with": { "case": {} }', '"groups": [{ "fields": ["contract"] }]'),
    "6:21  'case' needs either 'read', a call, or 'is', the path of what is loaded already",
  ],
  [
    'data that nothing uses',
    form(
      '"read": "cases.read"',
      '"with": { "cse": { "is": "record" } }',
      '"groups": [{ "fields": ["contract"] }]',
    ),
    "6:20  nothing uses 'with.cse': remove it, or correct its name",
  ],
  [
    'hidden answers that are read by a call that deletes',
    form(
      '"read": "cases.read"',
      '"hiddenAnswers": { "read": "cases.removeHiddenAnswer", "remove": "cases.removeHiddenAnswer" }',
      '"groups": [{ "fields": ["contract"] }]',
    ),
    '6:30  cases.removeHiddenAnswer changes something: it is DELETE /api/cases/{id}/hidden_answers/{name}',
  ],
  [
    'a kind of draft that there is not',
    screen(
      '"route": "/NAME"',
      '"kind": "form"',
      '"title": "X"',
      '"roles": "writers", "save": "activities.create"',
      '"draft": "activty"',
      '"groups": [{ "fields": ["notes"] }]',
    ),
    "6:12  'activty' is not one of the options of 'kind'; did you mean 'activity'?",
  ],
  [
    'a fixed part of a path that its call does not take',
    list(
      'clients.list',
      '"fixedParams": { "entity": "tsk" }',
      '"actions": [{ "label": "Go", "call": "entries.clearError" }]',
    ),
    "7:30  entries.clearError takes no 'tsk' as '{entity}'; did you mean 'task'?",
  ],
  [
    'a fixed part of a path that no call has',
    list('clients.list', '"fixedParams": { "entity": "task" }'),
    "7:30  no call of this screen has '{entity}' in its path",
  ],
  [
    'a start after the end',
    list(
      'reports.lastWeek',
      '"roles": ["HUB"], "pages": false, "defaults": { "start": "today", "end": "-7d" }',
    ),
    "7:60  'today' is after the end, '-7d'",
  ],
]

const REPLIES: Wrong[] = [
  [
    'a number of a quick filter that the reply does not have',
    list(
      'worklist.list',
      '"chips": [{ "label": "Late", "filter": { "due": "overdue" }, "count": "overdu" }]',
    ),
    "7:73  worklist.list has no 'chips.overdu' among its 'replyKeys'; did you mean 'chips.overdue'?",
  ],
  [
    'rows under a key that the reply does not have',
    list('admin.core', '"rowsKey": "model"', '"roles": "admin", "export": false').replace(
      '["id"]',
      '["name"]',
    ),
    "7:14  admin.core has no 'model' among its 'replyKeys'; did you mean 'models'?",
  ],
  [
    'a total that the reply does not have',
    list('search.clients', '"sum": { "key": "total_tim", "title": "time", "as": "hours" }'),
    "7:19  search.clients has no 'total_tim' among its 'replyKeys'; did you mean 'total_time'?",
  ],
]

const WIZARDS: Wrong[] = [
  [
    'a step at a key that the body does not have',
    wizard('"at": "clint"'),
    "6:66  no field 'clint' in newCase; did you mean 'client'?",
  ],
  [
    'a reason under a key that the body does not have',
    wizard(
      '"existing": { "search": "clients.find", "read": "clients.read", "label": "client", "likely": "clients.alike", "certainty": "certainty", "because": "new_becuse" }',
    ),
    "6:207  no field 'new_becuse' in newCase; did you mean 'new_because'?",
  ],
  [
    'a fixed value of the wrong type',
    wizard('"at": "client"', '"values": { "incomplete": "yes" }'),
    "7:29  'incomplete' is true or false, which 'yes' never equals; write true",
  ],
  [
    'a search that fills a name into a date',
    wizard(
      '"existing": { "search": "clients.find", "read": "clients.read", "label": "client", "box": { "label": "Who?", "fills": { "last": "dob" } } }',
    ),
    "6:188  'last' fills in a text, and 'dob' is not one",
  ],
]

const CALLS: Wrong[] = [
  [
    'proof for a field that the body does not have',
    call('"call": "PATCH /api/NAME/{id}"', '"does": "update staff"', '"stepUp": ["grups"]'),
    "2:82  no field 'grups' in staff; did you mean 'groups'?",
  ],
  [
    'values of a part that the path does not have',
    call('"call": "POST /api/NAME/{kind}"', '"does": "cases.addIssue"', '"parts": { "knd": ["a"] }'),
    "2:92  no '{knd}' in the path; did you mean 'kind'?",
  ],
]

describeWrongFiles('screens', [...BESIDE, ...PLACEHOLDERS])
describeWrongFiles('screens', [...BUTTONS, ...IDS, ...DATA, ...REPLIES, ...WIZARDS])
describeWrongFiles('schemas/endpoints', CALLS)
