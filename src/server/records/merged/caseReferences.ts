import { movedOf, type Reference } from './reference.ts'

const OF_OWN_STATE =
  'rows of the case itself are deleted, because the other case has its own; an undo brings them back'

/** Every column that refers to a case, as CLIENT_REFERENCES; a row with an issue is below that one. */
export const CASE_REFERENCES: Reference[] = [
  // Issues come first, because rows below take their case from them.
  { table: 'issues', column: 'case', merge: 'move' },
  { table: 'tasks', column: 'case', below: 'issue', merge: 'move' },
  { table: 'actions', column: 'case', below: 'issue', merge: 'move' },
  { table: 'signposts', column: 'case', merge: 'move' },
  { table: 'automation_states', column: 'case', below: 'issue', merge: 'move' },
  { table: 'automation_events', column: 'case', below: 'issue', merge: 'move' },
  { table: 'deadlines', column: 'case', below: 'issue', merge: 'move' },
  { table: 'deadline_pauses', column: 'case', below: 'issue', merge: 'move' },
  { table: 'referral_requests', column: 'case', merge: 'move' },
  { table: 'referral_requests', column: 'from_case', merge: 'move' },
  { table: 'bulk_rows', column: 'case', merge: 'move' },
  { table: 'files', column: 'record', entity: 'case', merge: 'move' },
  { table: 'answer_index', column: 'case', below: 'issue', withoutId: true, merge: 'move' },
  { table: 'answer_values', column: 'case', below: 'issue', withoutId: true, merge: 'move' },
  { table: 'merges', column: 'case', merge: 'move' },
  { table: 'replaced_answers', column: 'case', below: 'issue', merge: 'move' },
  { table: 'case_monitoring', column: 'case', merge: { no: OF_OWN_STATE } },
  { table: 'case_access', column: 'case', merge: { no: 'derived by triggers' } },
  { table: 'automation_changes', column: 'case', merge: { no: 'the case that remains is evaluated' } },
  {
    table: 'audit',
    column: 'case',
    merge: { no: 'events stay where they are: histories read all numbers of a case' },
  },
]

export const MOVED_WITH_CASE = movedOf(CASE_REFERENCES)

/** Tables with rows of a case itself of which the other case has its own. */
export const OWN_STATE_OF_CASE = ['automation_states', 'deadlines', 'deadline_pauses', 'replaced_answers']
