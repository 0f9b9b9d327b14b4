import { movedOf, type Reference } from './reference.ts'

/** A column of the database that refers to a client; a row with a case is below that one. */
interface ClientReference extends Reference {
  /**
   * What a purge does with the rows: it deletes them, with the files of this entity, or `no` says what becomes of them.
   */
  purge: { files: string } | { no: string }
}

const CASCADES = { no: 'deleted with the client, by the foreign key' }

/**
 * Every column that refers to a client. A merge and a purge read it, and a test compares it with the catalogue of the
 * database. Those that a purge deletes are in its order, children first.
 */
export const CLIENT_REFERENCES: ClientReference[] = [
  // Cases come first, because rows below take their client from them.
  { table: 'cases', column: 'client', merge: 'move', purge: { no: 'purged before, one by one' } },
  { table: 'issues', column: 'client', below: 'case', merge: 'move', purge: { no: 'purged with its case' } },
  // A step before its action, whose trigger then finds nothing to change.
  { table: 'tasks', column: 'client', below: 'case', merge: 'move', purge: { files: 'task' } },
  { table: 'actions', column: 'client', below: 'case', merge: 'move', purge: { no: 'purged with its case' } },
  { table: 'signposts', column: 'client', below: 'case', merge: 'move', purge: { files: 'signpost' } },
  { table: 'risks', column: 'client', merge: 'move', purge: { files: 'risk' } },
  {
    table: 'communication_issues',
    column: 'client',
    merge: 'move',
    purge: { files: 'communicationIssue' },
  },
  { table: 'automation_states', column: 'client', below: 'case', merge: 'move', purge: CASCADES },
  { table: 'automation_events', column: 'client', below: 'case', merge: 'move', purge: CASCADES },
  { table: 'deadlines', column: 'client', below: 'case', merge: 'move', purge: CASCADES },
  {
    table: 'referral_requests',
    column: 'from_client',
    below: 'from_case',
    merge: 'move',
    purge: { no: 'deleted with its messages and comments' },
  },
  { table: 'work_notices', column: 'client', merge: 'move', purge: CASCADES },
  { table: 'client_questions', column: 'client', merge: 'move', purge: CASCADES },
  { table: 'bulk_rows', column: 'client', below: 'case', merge: 'move', purge: { no: 'cleared' } },
  { table: 'bulk_rows', column: 'chosen', merge: 'move', purge: { no: 'a number without a record' } },
  { table: 'merges', column: 'client', below: 'case', merge: 'move', purge: CASCADES },
  {
    table: 'bulk_rows',
    column: 'matches',
    merge: { no: 'read as the clients that remain, so that an undo of the merge gives them back' },
    purge: { no: 'numbers without a record' },
  },
  {
    table: 'not_same_person',
    column: 'client',
    merge: { no: 'pairs are replaced by those of the client that remains' },
    purge: CASCADES,
  },
  {
    table: 'not_same_person',
    column: 'other',
    merge: { no: 'pairs are replaced by those of the client that remains' },
    purge: CASCADES,
  },
  { table: 'alike_pairs', column: 'client', merge: { no: 'found again by a job' }, purge: CASCADES },
  { table: 'alike_pairs', column: 'other', merge: { no: 'found again by a job' }, purge: CASCADES },
  { table: 'same_nhs_numbers', column: 'client', merge: { no: 'derived by a trigger' }, purge: CASCADES },
  { table: 'same_nhs_numbers', column: 'other', merge: { no: 'derived by a trigger' }, purge: CASCADES },
  {
    table: 'client_access',
    column: 'client',
    merge: { no: 'derived by triggers' },
    purge: CASCADES,
  },
  {
    table: 'audit',
    column: 'client',
    merge: { no: 'events stay where they are: histories read all numbers of a client' },
    purge: { no: 'deleted, of all numbers of the client' },
  },
  {
    table: 'audit',
    column: 'record',
    merge: { no: 'as the client of the event' },
    purge: { no: 'deleted with the client of the event' },
  },
  {
    table: 'drafts',
    column: 'payload',
    merge: { no: 'replaced within the document and the address of the draft' },
    purge: { no: 'drafts that refer to it are deleted' },
  },
  {
    table: 'drafts',
    column: 'address',
    merge: { no: 'replaced within the document and the address of the draft' },
    purge: { no: 'drafts that refer to it are deleted' },
  },
  {
    table: 'cases',
    column: 'answers_seen',
    merge: { no: 'values as they were read; the old number leads to the client that remains' },
    purge: { no: 'purged with its case; what other cases read from it is removed' },
  },
  {
    table: 'issues',
    column: 'answers_seen',
    merge: { no: 'values as they were read; the old number leads to the client that remains' },
    purge: { no: 'purged with its case; what other issues read from it is removed' },
  },
  {
    table: 'files',
    column: 'record',
    merge: { no: 'the id of a risk, document or the like, which moves itself' },
    purge: { no: 'deleted with the record that it belongs to' },
  },
  {
    table: 'saved_views',
    column: 'query',
    merge: { no: 'the old number finds the client that remains' },
    purge: { no: 'views that name the client are deleted' },
  },
  {
    table: 'idempotency',
    column: 'reply',
    merge: { no: 'a reply as it was given' },
    purge: { no: 'deleted with the audit events of its request' },
  },
  {
    table: 'merges',
    column: 'old',
    merge: { no: 'a number that leads to a client for ever' },
    purge: CASCADES,
  },
  { table: 'merges', column: 'undo', merge: { no: 'ids and values as they were' }, purge: CASCADES },
  ...['decided', 'before', 'after', 'open'].map(
    (column): ClientReference => ({
      table: 'replaced_answers',
      column,
      merge: { no: 'answers of a case or an issue' },
      purge: CASCADES,
    }),
  ),
]

/** The columns whose rows move to another client, in this order. */
export const MOVED_WITH_CLIENT = movedOf(CLIENT_REFERENCES)

/** Tables whose rows a purge deletes with a client, and the entities of their files. */
export const PURGED_WITH_CLIENT = CLIENT_REFERENCES.flatMap(({ table, column, purge }) =>
  'files' in purge ? [[table, purge.files, column] as const] : [],
)
