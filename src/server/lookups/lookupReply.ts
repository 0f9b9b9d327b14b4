import { LOOKUP_LIMIT, lookupParameters, TOTAL_COUNT } from '../../contract/lookupCall.ts'
import type { FieldErrors } from '../../contract/validateAnswers.ts'
import type { Call } from '../call.ts'
import { refuse } from '../problems.ts'
import { rawQuery } from '../query.ts'
import { findChoices, type Item, type LookupParams } from './choices.ts'

/** More ids would not fit in an address. */
const MOST_IDS = 500

/**
 * Answers a lookup's call with a bare array of choices: those that `id` names, retired ones too, or else the first 2,000.
 * A header says how many match, because the specified body has no place for it.
 */
export async function lookupReply(call: Call, name: string): Promise<Item[]> {
  const raw = rawQuery(call.request)
  const ids = raw.id === undefined || raw.id === '' ? undefined : readIds(raw.id)
  const parameters = lookupParameters(call.contract.lookups[name])
  const given: LookupParams = Object.fromEntries(
    Object.entries(raw)
      .filter(([key]) => key in parameters)
      .map(([key, value]) => [key, String(value)]),
  )
  const withRetired = ids !== undefined || given.active === 'false'
  const { items, count } = await findChoices(call, name, given, {
    withRetired,
    only: ids,
    limit: LOOKUP_LIMIT,
  })
  call.reply.header(TOTAL_COUNT, count)
  return items
}

function readIds(raw: unknown): number[] {
  const texts = [raw].flat().flatMap((text) => String(text).split(','))
  const errors: FieldErrors = {}
  if (!texts.every((text) => /^\d{1,9}$/.test(text))) errors.id = ['must be a whole number']
  else if (texts.length > MOST_IDS) errors.id = [`can be said ${MOST_IDS} times at most`]
  refuse(errors)
  return texts.map(Number)
}
