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
/** A list with one button, which is visible under a condition. */
const shown = (source: string, when: string) =>
  list(source, `"actions": [{ "label": "Go", "to": "/profile", "when": ${when} }]`)
const button = (source: string, ...parts: string[]) =>
  list(source, `"actions": [{ "label": "Go", ${parts.join(', ')} }]`)
const link = (source: string, column: string) =>
  list(source).replace('"columns": ["id"]', `"columns": [{ ${column} }]`)
const entity = (properties: string, ...lines: string[]) =>
  screen('"$id": "NAME"', '"title": "X"', '"type": "object"', `"properties": { ${properties} }`, ...lines)
const report = (measure: string) =>
  entity(
    '"day": { "title": "Day", "type": "string", "format": "date" }, "kind": { "title": "Kind", "type": "integer", "options": [{ "value": 1, "label": "One" }] }, "words": { "title": "Words", "type": "string" }, "service": { "title": "Service", "type": "integer", "lookup": "services" }, "client": { "title": "Client", "type": "integer", "ref": "client" }, "time_taken": { "title": "Time", "type": "integer", "fieldType": "duration" }, "is_done": { "title": "Done", "type": "boolean" }',
    `"facts": { "title": "Things", "day": "day", "dimensions": { "kind": {}, "is_done": {} }, "measures": { "n": { "title": "N", ${measure} } } }`,
  )
const call = (key: string, ...parts: string[]) =>
  `{\n  "${key}": { ${parts.join(', ')}, "roles": "staff" }\n}\n`

const CONDITIONS: Wrong[] = [
  [
    'a text for true or false',
    shown('tasks.list', '{ "record.is_done": "yes" }'),
    "7:78  'is_done' is true or false, which 'yes' never equals; write true",
  ],
  [
    'a number for true or false',
    shown('tasks.list', '{ "record.is_done": [0] }'),
    "7:78  'is_done' is true or false, which 0 never equals; write false",
  ],
  [
    'a text for a number',
    shown('clients.list', '{ "record.open_case_count": { "not": "2" } }'),
    "7:86  'open_case_count' is a number, which '2' never equals; write 2",
  ],
  [
    'a number for a text',
    shown('tasks.list', '{ "record.title": 5 }'),
    '7:76  \'title\' is a text, which 5 never equals; write "5"',
  ],
  [
    'a word for a date',
    shown('tasks.list', '{ "record.due": { "max": "tomorrow" } }'),
    "7:74  'due' is a date, which 'tomorrow' never equals; write it like \"2026-01-31\"",
  ],
  [
    'a least text',
    shown('tasks.list', '{ "record.title": { "min": "a" } }'),
    "7:76  'title' has no order: 'min' and 'max' are for numbers and dates",
  ],
  [
    'a status that is no option',
    shown('clients.list', '{ "record.status": 3 }'),
    "7:77  3 is not one of the options of 'status'; its options are 1, 2",
  ],
  [
    'a misspelt option',
    shown('chronology.ofCase', '{ "any": [{ "record.kind": "isue" }] }').replace('/NAME', '/NAME/{id}'),
    "7:85  'isue' is not one of the options of 'kind'; did you mean 'issue'?",
  ],
  [
    'two fields that are never equal',
    shown('tasks.list', '{ "record.due": { "path": "record.is_done" } }'),
    "7:74  'due' is a date and 'is_done' true or false, so they are never equal",
  ],
  [
    'a text for the id of a role',
    shown('tasks.list', '{ "user.groups": ["Advocate"] }'),
    "7:75  'Advocate' is not one of the options of 'groups'; write 4, which 'Advocate' stands for",
  ],
  [
    'the id of no role',
    shown('tasks.list', '{ "user.groups": [40] }'),
    "7:75  40 is not one of the options of 'groups'; its options are 1, 2, 9, 6, 4, 3, 8, 7, 5",
  ],
  [
    'a text for true or false in the sections of a form',
    screen(
      '"route": "/NAME/{id}"',
      '"kind": "form"',
      '"title": "X"',
      '"read": "issues.read"',
      '"save": "issues.update"',
      '"groups": [{ "title": "X", "when": { "record.is_opened": "no" }, "fields": ["close_date"] }]',
    ),
    "7:60  'is_opened' is true or false, which 'no' never equals; write false",
  ],
]

const FILTERS: Wrong[] = [
  [
    'a chip with a value that is no option',
    list('worklist.list', '"chips": [{ "label": "Late", "filter": { "due": "overdu" }, "count": "all" }]'),
    "7:51  'overdu' is not one of the options of 'due'; did you mean 'overdue'?",
  ],
  [
    'a chip with a word for true or false',
    list('worklist.list', '"chips": [{ "label": "Urgent", "filter": { "urgent": "yes" }, "count": "all" }]'),
    "7:56  'yes' is not one of the options of 'urgent'",
  ],
  [
    'a chip with a word for a number',
    list(
      'worklist.list',
      '"chips": [{ "label": "Old", "filter": { "no_contact_days": "many" }, "count": "all" }]',
    ),
    "7:62  'many' must be a whole number",
  ],
  [
    'a link to a list filtered by what is no option',
    list('tasks.list', '"toolbar": [{ "label": "Go", "to": "/dashboard/hub/1?state=opne" }]'),
    "7:38  'opne' is not one of the options of 'state'; did you mean 'open'?",
  ],
  [
    'a default that is none of the roles',
    list('staff.list', '"defaults": { "role": "12" }', '"roles": "admin"'),
    "7:25  '12' is not one of the options of 'role'; did you mean '1'?",
  ],
]

const ACTIONS: Wrong[] = [
  [
    'a fixed value of the wrong type',
    button('tasks.list', '"call": "tasks.update"', '"values": { "title": 7 }'),
    '7:77  \'title\' is a text, which 7 never equals; write "7"',
  ],
  [
    'a fixed value that is no day',
    button('tasks.list', '"call": "tasks.update"', '"values": { "due": "tomorrow" }'),
    "7:75  'due' is a date, which 'tomorrow' never equals; write it like \"2026-01-31\"",
  ],
  [
    'a placeholder in a list of values that nothing fills',
    button(
      'tasks.list',
      '"call": "issues.assignSeveral"',
      '"values": { "issues": ["{iqd}"], "advocate": "{assignee}" }',
    ),
    "7:87  there is no value for '{iqd}'; did you mean 'id'?",
  ],
  [
    'a placeholder of what undoes a call that nothing fills',
    button(
      'tasks.list',
      '"call": "tasks.update"',
      '"values": { "due": "+7d" }',
      '"undo": "tasks.update"',
      '"undoValues": { "due": "{deu}" }',
    ),
    "7:131  there is no value for '{deu}'; did you mean 'due'?",
  ],
  [
    'a row action without the field that its call needs',
    button('tasks.list', '"call": "issues.close"', '"params": { "id": "issue" }'),
    "7:40  issues.close needs 'reasons': write it into 'values', or ask for it with 'form' or 'dialog'",
  ],
  [
    'a row action whose values lack one of two fields',
    button('tasks.list', '"call": "tasks.create"', '"values": { "title": "Ring" }'),
    "7:40  tasks.create needs 'due': write it into 'values', or ask for it with 'form' or 'dialog'",
  ],
  [
    'a row action of a menu without the field that its call needs',
    button('tasks.list', '"menu": [{ "label": "Drop", "call": "tasks.drop" }]'),
    "7:68  tasks.drop needs 'reason': write it into 'values', or ask for it with 'form' or 'dialog'",
  ],
  [
    'an Undo without the field that its call needs',
    button('tasks.list', '"call": "tasks.complete"', '"undo": "tasks.drop"'),
    "7:66  tasks.drop needs 'reason': write it into 'undoValues'",
  ],
]

const LINKS: Wrong[] = [
  [
    'the client of a case for the case',
    link('cases.list', '"field": "client", "link": "/cases/{client}/details"'),
    "6:44  '/cases/{client}/details' takes an id of 'case', and 'client' is one of 'client'; write {id}",
  ],
  [
    'the id of a case for the client',
    link('cases.list', '"field": "id", "link": "/clients/{id}/info"'),
    "6:40  '/clients/{id}/info' takes an id of 'client', and 'id' is one of 'case'; write {client}",
  ],
  [
    'an issue for the case around it',
    link('tasks.list', '"field": "id", "link": "/cases/{issue}/issues/{case}/details"'),
    "6:40  '/cases/{issue}/issues/{case}/details' takes an id of 'case', and 'issue' is one of 'issue'; write {case}",
  ],
  [
    'a case in a filter by client',
    button('tasks.list', '"to": "/case?client={case}"'),
    "7:38  'client' takes an id of 'client', and 'case' is one of 'case'; write {client}",
  ],
  [
    'a client for a member of staff',
    button('tasks.list', '"to": "/advocate/{client}/work"'),
    "7:38  '/advocate/{client}/work' takes an id of 'staff', and 'client' is one of 'client'; write {assignee}",
  ],
  [
    'the row of another entity in a call',
    button('tasks.list', '"call": "cases.retire"'),
    "7:40  '/case/{id}/retire/' takes an id of 'case', and 'id' is one of 'task'; write {case}",
  ],
  [
    'a field of another entity in a call',
    button('tasks.list', '"call": "cases.retire"', '"params": { "id": "client" }'),
    "7:74  '/case/{id}/retire/' takes an id of 'case', and 'client' is one of 'client'; write {case}",
  ],
]

const SCREENS: Wrong[] = [
  [
    'an address that differs only in a name',
    list('tasks.list').replace('/NAME', '/clients/{client}'),
    "2:12  '/clients/{client}' is already the address of screens/client.json",
  ],
  [
    'the address of another screen',
    list('tasks.list').replace('/NAME', '/profile'),
    "2:12  '/profile' is already the address of screens/profile.json",
  ],
]

const ENTITIES: Wrong[] = [
  [
    'a sum of a text',
    report('"sum": "words"'),
    "6:134  'words' is not a number or duration to add up; time_taken can be",
  ],
  [
    'an average of choices',
    report('"average": "kind"'),
    "6:138  'kind' is not a number or duration to add up; time_taken can be",
  ],
  [
    'a sum of the items of a lookup',
    report('"sum": "service"'),
    "6:134  'service' is not a number or duration to add up; time_taken can be",
  ],
  [
    'a sum of ids',
    report('"sum": "client"'),
    "6:134  'client' is not a number or duration to add up; time_taken can be",
  ],
  [
    'an average of yes and no',
    report('"average": "is_done"'),
    "6:138  'is_done' is not a number or duration to add up; time_taken can be",
  ],
  [
    'a misspelt measure',
    report('"sum": "time_takn"'),
    "6:134  no field 'time_takn' in NAME; did you mean 'time_taken'?",
  ],
  [
    'rows of a kind that is no option',
    report('"count": true, "where": { "kind": 2 }'),
    "6:161  2 is not one of the options of 'kind'; its options are 1",
  ],
  [
    'a total of a text',
    entity('"words": { "title": "Words", "type": "string", "total": true }'),
    "5:75  'words' is not a number or duration to add up",
  ],
  [
    'a condition with a text for a number',
    entity('"n": { "title": "N", "type": "integer" }, "m": { "title": "M", "when": { "n": "1" } }'),
    "5:97  'n' is a number, which '1' never equals; write 1",
  ],
  [
    'a condition of a column on the record with a wrong option',
    entity(
      '"kind": { "title": "Kind", "options": [{ "value": "a", "label": "A" }] }, "rows": { "title": "Rows", "type": "array", "columns": { "m": { "title": "M", "when": { "kind": "b" } } } }',
    ),
    "5:189  'b' is not one of the options of 'kind'; did you mean 'a'?",
  ],
  [
    'a lookup narrowed by a misspelt field of the case',
    entity(
      '"advocate": { "title": "Advocate", "type": "integer", "lookup": "staff", "lookup_params": { "service": "$case.servce" } }',
    ),
    "5:122  no field 'servce' in case; did you mean 'service'?",
  ],
  [
    'a lookup narrowed by a misspelt field of the client',
    entity(
      '"a": { "title": "A", "type": "integer", "lookup": "issue_types", "lookup_params": { "service": "$client.are" } }',
    ),
    "5:114  no field 'are' in client; did you mean 'area'?",
  ],
  [
    'a lookup narrowed by a misspelt field of the record',
    entity(
      '"a": { "title": "A", "type": "integer", "lookup": "issue_types", "lookup_params": { "service": "$record.b" } }',
    ),
    "5:114  no field 'b' in NAME; did you mean 'a'?",
  ],
  [
    'a lookup narrowed by a misspelt field of the person',
    entity(
      '"a": { "title": "A", "type": "integer", "lookup": "issue_types", "lookup_params": { "service": "$user.serices" } }',
    ),
    "5:114  no field 'serices' in me; did you mean 'services'?",
  ],
  [
    'a lookup of a column narrowed by a misspelt field',
    entity(
      '"rows": { "title": "Rows", "type": "array", "columns": { "a": { "title": "A", "type": "integer", "lookup": "issue_types", "lookup_params": { "service": "$case.servce" } } } }',
    ),
    "5:171  no field 'servce' in case; did you mean 'service'?",
  ],
]

const CALLS: Wrong[] = [
  [
    'a call at the address of a screen',
    call('NAME.one', '"call": "GET /clients/{client}/info"', '"does": "cases.list"'),
    "2:24  '/clients/{client}/info' is the address of screens/client-info.json; write '/clients/{client}/info/', or another path",
  ],
  [
    'a call that takes the address of a screen among others',
    call('NAME.one', '"call": "GET /dashboard/{name}"', '"does": "cases.list"'),
    "2:24  '/dashboard/{name}' is the address of screens/activity-past-week.json; write '/dashboard/{name}/', or another path",
  ],
  [
    'a call with the path of a lookup',
    call('NAME.one', '"call": "GET /staff_lookup/"', '"does": "cases.list"'),
    "2:24  '/staff_lookup/' is already the path of the lookup staff",
  ],
  [
    'a call whose path differs only in a name',
    call('NAME.one', '"call": "PATCH /client/{client}/update/"', '"does": "cases.list"'),
    "2:24  'PATCH /client/{client}/update/' is already the call of clients.update",
  ],
]

describeWrongFiles('screens', [...CONDITIONS, ...FILTERS, ...ACTIONS, ...LINKS, ...SCREENS])
describeWrongFiles('schemas/entities', ENTITIES)
describeWrongFiles('schemas/endpoints', CALLS)
