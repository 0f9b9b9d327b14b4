import type { FastifyInstance } from 'fastify'
import { isIndexingDue } from '../../features/caseTypes/answerIndexWork.ts'
import { indexAnswers } from '../../features/caseTypes/indexAnswers.ts'

/** Interval at which a server looks for indexing that another one has begun or left unfinished, in milliseconds. */
const POLL_INTERVAL_MS = 5000

/** Shares the indexing of answers with the other servers until this one closes. */
export function startIndexing({ db, log, ending, pendingWork }: FastifyInstance): void {
  let isRunning = false
  const poll = async () => {
    if (isRunning) return
    isRunning = true
    try {
      if (await isIndexingDue(db)) await indexAnswers({ db, ending })
    } catch (error) {
      log.warn({ code: (error as { code?: string }).code }, 'indexing answers failed')
    }
    isRunning = false
  }
  const timer = setInterval(() => {
    const done = poll()
    pendingWork.add(done)
    done.finally(() => pendingWork.delete(done))
  }, POLL_INTERVAL_MS)
  timer.unref()
  ending.addEventListener('abort', () => clearInterval(timer))
}
