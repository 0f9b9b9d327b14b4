import { LOOKUP_LIMIT, lookupParameters, TOTAL_COUNT } from '../../../contract/lookupCall.ts'
import type { FieldErrors } from '../../../contract/validateAnswers.ts'
import type { Call } from '../../core/call.ts'
import { refuse } from '../../core/problems.ts'
import { rawQuery } from '../query/query.ts'
import { findChoices, type Item, type LookupParams } from './choices.ts'

/** Maximum number of ids, as many as fit in a URL. */
const MAX_IDS = 500

/**
 * The reply to a lookup's call, a bare array of choices: those with the ids in `id`, including retired ones, or else
 * the first LOOKUP_LIMIT. The number of all matches is in a header, because the specified body has no place for it.
 */
export async function lookupReply(call: Call, name: string): Promise<Item[]> {
  const raw = rawQuery(call.request)
  const ids = raw.id === undefined || raw.id === '' ? undefined : readIds(raw.id)
  const parameters = lookupParameters(call.contract.lookups[name])
  const params: LookupParams = Object.fromEntries(
    Object.entries(raw)
      .filter(([key]) => key in parameters)
      .map(([key, value]) => [key, String(value)]),
  )
  const withRetired = ids !== undefined || params.active === 'false'
  const { items, count } = await findChoices(call, name, params, {
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
  else if (texts.length > MAX_IDS) errors.id = [`can be given at most ${MAX_IDS} times`]
  refuse(errors)
  return texts.map(Number)
}
