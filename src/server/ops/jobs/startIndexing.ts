import type { FastifyInstance } from 'fastify'
import { poll } from '../../core/poll.ts'
import { isIndexingDue } from '../../features/caseTypes/answerIndexWork.ts'
import { indexAnswers } from '../../features/caseTypes/indexAnswers.ts'

/** Interval at which a server looks for indexing that another one has begun or left unfinished, in milliseconds. */
const POLL_INTERVAL_MS = 5000

/** Shares the indexing of answers with the other servers until this one closes. */
export function startIndexing(app: FastifyInstance): void {
  const { db, ending } = app
  const options = { intervalMs: POLL_INTERVAL_MS, delayMs: POLL_INTERVAL_MS, what: 'indexing answers' }
  poll(app, options, async () => {
    if (await isIndexingDue(db)) await indexAnswers({ db, ending })
  })
}
