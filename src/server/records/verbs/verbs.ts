import type { Verb } from '../../../contract/call.ts'
import type { VerbHandler } from '../../core/call.ts'
import { create } from './create.ts'
import { figures } from './figures.ts'
import { list } from './list.ts'
import { read } from './read.ts'
import { remove } from './remove.ts'
import { search } from './search.ts'
import { retire, unretire } from './setStatus.ts'
import { update } from './update.ts'
import { upload } from './upload.ts'

/** The generic operations by the verb of a descriptor. */
export const VERB_HANDLERS: Record<Verb, VerbHandler> = {
  list,
  search,
  figures,
  read,
  create,
  update,
  remove,
  retire,
  unretire,
  upload,
}
