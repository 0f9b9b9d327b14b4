import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import type { Caller, Reply } from '../server/context.ts'
import { query, until } from './postgres.ts'
import { printFigures } from './servers.ts'

/** Milliseconds that a call may take in the middle of it all. */
export const MAX_WAIT_MS = 10_000
/** Seconds that the slowest machine may take until enough is written. */
const PATIENCE = 100
const HANDS = 8
/** Length of a title, the most there is, so that tables grow by a page with every few of them. */
const TITLE = 300

export interface Written {
  /** What the titles of these writers begin with. */
  mark: string
  /** Titles of the tasks that the product said it had saved. */
  acknowledged: string[]
  /** Milliseconds of the longest call. */
  longest: number
  /** How often each refusal came, like '503 unavailable'. */
  refusals: Record<string, number>
  /** Milliseconds between two writes that were acknowledged, at most: what a fault costs everybody together. */
  away: number
}

export interface Writers {
  written: Readonly<Written>
  /** Waits until so many more writes are acknowledged. */
  write(count: number): Promise<void>
  stop(): Promise<Written>
}

let started = 0

/** Writes tasks under titles of their own from several hands, over all servers in turn, until stopped. */
export function startWriters(callers: Caller[], hands = HANDS): Writers {
  const mark = `written in run ${++started} by `
  const written: Written = { mark, acknowledged: [], longest: 0, refusals: {}, away: 0 }
  let going = true
  onTestFinished(() => {
    going = false
  })
  let last = Date.now()
  const write = async (hand: number) => {
    for (let i = 0; going; i++) {
      const title = `${mark}${hand}, number ${i}`.padEnd(TITLE, '.')
      const since = Date.now()
      const reply = await writeTask(callers[hand % callers.length], title).catch(asReply)
      written.longest = Math.max(written.longest, Date.now() - since)
      if (reply.status === 201) {
        written.acknowledged.push(title)
        written.away = Math.max(written.away, Date.now() - last)
        last = Date.now()
        continue
      }
      const refusal = `${reply.status} ${reply.body.code}`
      written.refusals[refusal] = (written.refusals[refusal] ?? 0) + 1
      await sleep(50)
    }
  }
  const working = Array.from({ length: hands }, (_, hand) => write(hand))
  return {
    written,
    write: async (count) => {
      const enough = written.acknowledged.length + count
      await until(async () => written.acknowledged.length >= enough, PATIENCE)
    },
    stop: async () => {
      going = false
      await Promise.all(working)
      return written
    },
  }
}

/** Writes one task; of these, unlike drafts, a person may have any number. */
export function writeTask(caller: Caller, title: string): Promise<Reply> {
  return caller('tasks.create', { body: { title, due: '2030-01-01' } })
}

/** A connection that broke, as a reply of status 0. */
function asReply(error: Error & { cause?: { code?: string } }) {
  return { status: 0, body: { code: error.cause?.code ?? error.message } }
}

export interface Read {
  count: number
  longest: number
  refusals: Record<string, number>
}

/** Makes a call that reads, one after the other from one hand for each caller, until stopped. */
export function startReaders(
  callers: Caller[],
  name: string,
): { read: Readonly<Read>; stop(): Promise<Read> } {
  const read: Read = { count: 0, longest: 0, refusals: {} }
  let going = true
  onTestFinished(() => {
    going = false
  })
  const working = callers.map(async (caller) => {
    while (going) {
      const since = Date.now()
      const { status, body } = await caller(name).catch(asReply)
      read.longest = Math.max(read.longest, Date.now() - since)
      if (status === 200) read.count++
      else read.refusals[`${status} ${body.code}`] = (read.refusals[`${status} ${body.code}`] ?? 0) + 1
      await sleep(50)
    }
  })
  return {
    read,
    stop: async () => {
      going = false
      await Promise.all(working)
      return read
    },
  }
}

const NO_READS: Read = { count: 0, longest: 0, refusals: {} }

/**
 * Prints what a fault cost, and fails unless every write that was acknowledged is stored once, every refusal was a 503
 * and no call took longer than MAX_WAIT_MS.
 */
export async function expectNothingLost(
  url: string,
  fault: string,
  { written, read = NO_READS, figures }: { written: Written; read?: Read; figures: Record<string, unknown> },
): Promise<void> {
  const { acknowledged, mark } = written
  const rows = await query(url, `select title from tasks where title like '${mark}%'`)
  const there = new Set(rows.map(({ title }) => String(title)))
  const lost = acknowledged.filter((title) => !there.has(title))
  const longest = Math.max(written.longest, read.longest)
  printFigures(fault, {
    acknowledged: acknowledged.length,
    lost: lost.length,
    'longest call (ms)': longest,
    refusals: written.refusals,
    ...(read.count > 0 && { 'reads refused': read.refusals }),
    ...figures,
  })
  expect([lost, rows.length - there.size]).toEqual([[], 0])
  expect(acknowledged.length).toBeGreaterThan(50)
  const refusals = [...Object.keys(written.refusals), ...Object.keys(read.refusals)]
  expect(refusals.filter((refusal) => !refusal.startsWith('503 '))).toEqual([])
  expect(longest).toBeLessThan(MAX_WAIT_MS)
}
