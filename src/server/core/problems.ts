import type { FieldErrors } from '../../contract/validateAnswers.ts'

/**
 * An HTTP error with its status and body, thrown anywhere and sent by the error handler of app.ts. A function named
 * `refuse…` throws one if its arguments are not acceptable.
 */
export interface Problem extends Error {
  statusCode: number
  body: Record<string, unknown>
  headers?: Record<string, string>
}

/** The error catalogue: status and message of every HTTP error, by name. */
export const PROBLEMS = {
  badRequest: [400, 'The request is not understood'],
  badText: [400, 'The text holds a character that cannot be stored'],
  unauthenticated: [401, 'Sign in first'],
  wrongPassword: [401, 'Your user name or password is wrong.'],
  forbidden: [403, 'Access is denied'],
  notOwner: [403, 'Only its owner can change or delete this view'],
  step_up: [403, 'Confirm first that it is you'],
  csrf: [403, 'The anti-forgery value is missing or old'],
  notFound: [404, 'There is no such record, or you may not see it'],
  noReferralForm: [404, 'There is no such form, or it is closed at the moment'],
  deadReferralLink: [404, 'This link is wrong, or has expired'],
  deadLink: [404, 'This link was used already or is too old'],
  conflict: [409, 'Somebody else changed this meanwhile'],
  usedKey: [
    409,
    'This arrived before your last changes. Look for it first; if you send it again, it is added once more.',
  ],
  inProgress: [409, 'The same request is being worked on'],
  taken: [409, 'There is already one like this'],
  notOld: [
    409,
    'Only records that nobody has changed for a long time can be purged, and issues must also be closed',
  ],
  stillActive: [
    409,
    'Only a retired client without active cases or open issues can be purged: retire or close these first, also those that others see',
  ],
  hiddenIssues: [
    409,
    'This has issues that you may not see: only somebody who may see all of them can purge it',
  ],
  held: [409, 'An automation of the case type does not allow this at the moment'],
  merged: [409, 'This record was merged into another one: make the change there'],
  notSamePerson: [409, 'Somebody has decided that these are not the same person: undo that first'],
  mergedSince: [409, 'The record has been merged again since: undo that merge first'],
  mergeForgotten: [409, 'This merge can no longer be undone: more than 30 days have passed'],
  migrationNotUndoable: [
    409,
    'This publication can no longer be undone: a later one moved answers too, or more than 30 days have passed',
  ],
  lastIssue: [
    409,
    'This is the only issue of its case, and nobody finds a case without issues: retire or purge the case instead',
  ],
  ownAccess: [409, 'You cannot retire or suspend yourself, nor take the role of administrator from yourself'],
  lastAdmin: [409, 'This is the last administrator: give somebody else that role first'],
  emergencyAccount: [
    409,
    'This is the account of EMERGENCY_ACCOUNT, by which somebody gets in while no provider can be reached. It keeps its user name and the role of administrator, and is not retired or suspended.',
  ],
  signOnExpired: [400, 'This sign-in took too long, or was begun in another browser. Begin again.'],
  badLogoutToken: [400, 'This logout token is not valid'],
  signOnRefused: [401, 'The sign-in was not confirmed. Begin again.'],
  signOnUnknown: [
    403,
    'You are not known here yet. An administrator now sees that you tried to sign in, and can give you access.',
  ],
  signOnClosed: [403, 'Your account here is closed. Ask an administrator.'],
  signOnOther: [403, 'This is not the account with which you are signed in here'],
  signOnLinked: [409, 'This account is connected with somebody already'],
  onlySignOn: [409, 'This is the only way in which this person can sign in'],
  factorNeeded: [409, 'Your role needs a second factor'],
  passkeyRefused: [400, 'The passkey was not accepted. Try again, or use another way.'],
  noPasskeys: [409, 'Passkeys cannot be used at the address of this service'],
  passwordsOff: [409, 'Passwords are not used to sign in here'],
  signsInElsewhere: [
    409,
    'This person signs in with an account of another organisation. Disconnect it first to give them a password here.',
  ],
  secretUnreadable: [
    503,
    'Codes of your authenticator app cannot be checked at the moment. Use a recovery code or a passkey, or ask an administrator.',
  ],
  signOnAway: [503, 'The sign-in service cannot be reached. Try again in a moment.'],
  badSheet: [400, 'The sheet has mistakes; nothing was imported'],
  uploadBusy: [409, 'This upload is being worked on: wait until that is done'],
  uploadState: [409, 'This upload is no longer in a state that allows this'],
  shownOnly: [405, 'This list is read-only'],
  referralDecided: [409, 'This referral was decided meanwhile'],
  referralClosed: [409, 'There is no question to answer at the moment'],
  referralTaken: [409, 'Somebody else has taken this referral'],
  tooLateToUndo: [409, 'This can no longer be undone: assign the issues again instead'],
  inUse: [409, 'Other records still use this one'],
  tooManyLines: [
    413,
    'This report has more than 2,000 lines: choose another dimension, a filter or a shorter period',
  ],
  tooMany: [413, 'This list has more than 10,000 rows: narrow it with its filters first'],
  bodyTooLarge: [413, 'This is more than can be sent at once'],
  tooLarge: [413, 'Uploaded file is too large'],
  mediaType: [415, 'The body must be JSON'],
  locked: [423, 'Too many wrong passwords.'],
  tooOften: [423, 'Too many tries.'],
  tooManyRequests: [429, 'You are doing this too often. Try again in a minute.'],
  quota: [429, 'You have reached the limit for this. Delete some first.'],
  serverError: [500, 'Something wend wrong'], // literal
  mailFailed: [503, 'The email could not be sent. Try again in a moment.'],
  databaseFull: [503, 'The database is full. Nothing was saved; an administrator must make room.'],
  databaseBusy: [503, 'The database has no memory left for this. Nothing was saved; try again in a moment.'],
  unavailable: [503, 'The database cannot be reached. Try again in a moment.'],
  storageAway: [
    503,
    'The storage of files does not answer, so this file can be neither opened nor saved. Try again in a moment.',
  ],
  storageUnknown: [
    503,
    'This file is in a storage that the server does not know. An administrator must set FILES_URL.',
  ],
  contentMissing: [
    503,
    'The storage of files does not have this file as it was saved. An administrator must look into it.',
  ],
  readOnly: [
    503,
    'Nothing can be saved at the moment: the database can only be read. Try again in a moment.',
  ],
  noAnswer: [503, 'The database did not answer in time. Try again in a moment.'],
  dataLocked: [503, 'Something else is being done to this data. Try again in a moment.'],
  stopping: [503, 'This server is about to stop.'],
  busy: [503, 'Too much is being done at once. Try again in a moment.'],
} satisfies Record<string, [number, string]>

type ProblemName = keyof typeof PROBLEMS

/** An HTTP error of the catalogue, with further properties of its body (`code` is its name). */
export function problem(name: ProblemName, more: Record<string, unknown> = {}): Problem {
  const [statusCode, message] = PROBLEMS[name]
  return Object.assign(new Error(message), { statusCode, body: { code: name, message, ...more } })
}

/** A 400 whose body is {field: [messages]}, which forms render beside their fields and other screens as toasts. */
export function fieldProblem(errors: FieldErrors): Problem {
  return Object.assign(new Error('Some fields are not right'), { statusCode: 400, body: errors })
}

/**
 * True if the body of a problem has messages by field. Those of the catalogue have a code, which a field may be called,
 * too.
 */
export function hasFieldErrors(body: Record<string, unknown>): body is FieldErrors {
  return typeof body.code !== 'string'
}

/** Throws a 400 if there are field errors. */
export function refuse(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw fieldProblem(errors)
}

/** Field errors with a prefix on their paths ('answers.is_urgent'). */
export function prefixed(at: string, errors: FieldErrors): FieldErrors {
  return at
    ? Object.fromEntries(Object.entries(errors).map(([path, words]) => [`${at}.${path}`, words]))
    : errors
}

/**
 * Field errors by constraint, for rules that only the database can check because the values come in different calls.
 */
const CONSTRAINTS: Record<string, FieldErrors> = {
  staff_username: { username: ['User name is taken by somebody else'] },
  referral_forms_service: { service: ['This service has a form already'] },
  saved_views_name: { name: ['You have a view of this name on this list already'] },
  issues_dates: { start_date: ['Start date must not be after the day it was closed'] },
}
const BY_SQLSTATE: Record<string, ProblemName> = {
  '23505': 'taken',
  '23503': 'inUse',
  '23502': 'badRequest',
  '22P02': 'badRequest',
  '22007': 'badRequest',
  '22008': 'badRequest',
  '22003': 'badRequest',
  '22021': 'badText',
  '22P05': 'badText',
  '25006': 'readOnly',
  // The database closed the connection: its transaction was idle for too long, or the clock jumped ahead.
  '25P03': 'unavailable',
  '40001': 'busy',
  '40P01': 'busy',
  '55P03': 'dataLocked',
  '57014': 'noAnswer',
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  '53100': 'databaseFull',
  '53200': 'databaseBusy',
  '53300': 'unavailable',
}
const UNREACHABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'])
/** Errors of pg and its pool, which have no code. */
const BY_MESSAGE: Record<string, ProblemName> = {
  'Query read timeout': 'noAnswer',
  // The rollback after a read timeout, which closed the connection.
  'Client was closed and is not queryable': 'noAnswer',
  'timeout exceeded when trying to connect': 'busy',
}
const BY_FASTIFY: Record<string, ProblemName> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'mediaType',
  FST_ERR_CTP_BODY_TOO_LARGE: 'bodyTooLarge',
  FST_REQ_FILE_TOO_LARGE: 'tooLarge',
  FST_CSRF_MISSING_SECRET: 'csrf',
  FST_CSRF_INVALID_TOKEN: 'csrf',
}

/** Maps any thrown value to an HTTP error; an unknown one is a 500 without details. */
export function asProblem(error: unknown): Problem {
  const e = error as Partial<Problem> & { code?: string }
  if (e.body && e.statusCode) return e as Problem
  const code = e.code ?? ''
  const broken = CONSTRAINTS[(error as { constraint?: string } | undefined)?.constraint ?? '']
  if (broken) return fieldProblem(broken)
  // The code is the same for a parent that others need and for one that was deleted meanwhile.
  if (code === '23503' && isOfMissingParent(error)) return problem('notFound')
  const name = BY_SQLSTATE[code] ?? BY_FASTIFY[code] ?? BY_MESSAGE[e.message ?? '']
  if (name) return problem(name)
  if (UNREACHABLE.has(code) || code.startsWith('08') || isLost(e.message)) return problem('unavailable')
  if (e.statusCode && e.statusCode < 500) return problem(e.statusCode === 404 ? 'notFound' : 'badRequest')
  return problem('serverError')
}

/**
 * True if a row refers to a record that is gone. PostgreSQL words this in the language of its settings, but its detail
 * names the table of the record then, and otherwise that of the row. A record that refers to its own table counts as in
 * use.
 */
function isOfMissingParent(error: unknown): boolean {
  const { detail = '', table = '' } = error as { detail?: string; table?: string }
  return detail !== '' && table !== '' && !detail.split(/[^\p{L}\p{N}_]+/u).includes(table)
}

function isLost(message = ''): boolean {
  return /Connection terminated|Client has encountered a connection error/.test(message)
}
