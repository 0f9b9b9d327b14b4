import { AxiosError, type AxiosResponse } from 'axios'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Values } from '../../src/contract/when.ts'
import { reportNoReply } from '../../src/engine/core/connection.ts'
import { AUTOSAVE_DEBOUNCE_MS, createAutosave, type DraftRef } from '../../src/engine/form/drafts/autosave.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer, type Reply } from './fakeServer.ts'

const POST = 'POST /api/drafts'
const PUT = 'PUT /api/drafts/{id}'
const DELETE = 'DELETE /api/drafts/{id}'
const CONFLICT = { code: 'conflict', fields: {}, current: { id: 1, version: 7 } }

/** An autosave with the events that its listener gets, and the titles and versions that it sends. */
function begin(existing?: DraftRef) {
  const events: string[] = []
  fakeServer.use({
    [POST]: { status: 201, data: { id: 1, version: 1 } },
    [PUT]: stored,
    [DELETE]: { status: 204 },
  })
  const autosave = createAutosave(contract, { kind: 'case', address: '/case' }, existing, {
    onCreate: (id) => events.push(`created ${id}`),
    onSave: () => events.push('saved'),
    onFail: () => events.push('failed'),
  })
  const type = (title: string) => autosave.schedule(() => ({ title, payload: {} }))
  return { autosave, events, type }
}
const stored = ({ body }: { body: Values }): Reply => ({ data: { id: 1, version: Number(body.version) + 1 } })
const sent = (call: string) =>
  fakeServer
    .requestsTo(call)
    .map(({ body }) => [body.title, ...(body.version === undefined ? [] : [body.version])])
/** Lets the time pass after which an autosave sends what was typed. */
const pass = (ms = AUTOSAVE_DEBOUNCE_MS) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** A reply that is sent by the returned function. */
function pending(reply: Reply): { handler: () => Promise<Reply>; end: () => void } {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { handler: () => ended.then(() => reply), end: () => end() }
}

describe('an autosave', () => {
  test('stores the last of what was typed within a second, and then sends the version of each reply', async () => {
    const { autosave, events, type } = begin()
    type('A')
    await pass(AUTOSAVE_DEBOUNCE_MS - 1)
    type('An')
    await pass(AUTOSAVE_DEBOUNCE_MS - 1)
    expect([autosave.isSaved(), sent(POST)]).toEqual([false, []])
    await pass(1)
    expect(autosave.isSaved()).toBe(true)
    type('Ann')
    await autosave.flush()
    type('Anna')
    await autosave.flush()
    await pass()
    expect([sent(POST), sent(PUT)]).toEqual([
      [['An']],
      [
        ['Ann', 1],
        ['Anna', 2],
      ],
    ])
    expect(events).toEqual(['created 1', 'saved', 'saved', 'saved'])
  })

  test('sends one request at a time, and is saved only when the last one is', async () => {
    const { autosave, type } = begin()
    const first = pending({ status: 201, data: { id: 1, version: 1 } })
    fakeServer.use({ [POST]: first.handler })
    type('Ann')
    const flushed = autosave.flush()
    expect(autosave.isSaved()).toBe(false)
    type('Ben')
    expect(autosave.flush()).toBe(flushed)
    await vi.waitFor(() => expect(fakeServer.requestsTo(POST)).toHaveLength(1))
    first.end()
    await flushed
    expect([sent(POST), sent(PUT), autosave.isSaved()]).toEqual([[['Ann']], [['Ben', 1]], true])
  })

  test('saves over another tab with its version, and gives up after two repeats with what was typed last', async () => {
    const { autosave, events, type } = begin({ id: 1, version: 3 })
    fakeServer.use({
      [PUT]: ({ body }) => (body.version === 7 ? stored({ body }) : { status: 409, data: CONFLICT }),
    })
    type('Ann')
    await autosave.flush()
    expect([sent(PUT), events]).toEqual([
      [
        ['Ann', 3],
        ['Ann', 7],
      ],
      ['saved'],
    ])
    fakeServer.use({ [PUT]: { status: 409, data: CONFLICT } })
    type('Ben')
    await expect(autosave.flush()).rejects.toThrow()
    expect(sent(PUT).slice(2)).toEqual([
      ['Ben', 8],
      ['Ben', 7],
      ['Ben', 7],
    ])
    expect([events.at(-1), autosave.isSaved()]).toEqual(['failed', false])
    fakeServer.use({ [PUT]: stored })
    await autosave.flush()
    expect([sent(PUT).at(-1), autosave.isSaved()]).toEqual([['Ben', 7], true])
  })

  test('keeps what was typed while a save fails, and begins anew where the draft is gone', async () => {
    const { autosave, events, type } = begin({ id: 1, version: 3 })
    const lost = pending({ status: 500 })
    fakeServer.use({ [PUT]: lost.handler })
    type('Ann')
    const flushed = autosave.flush()
    type('Ben')
    lost.end()
    await expect(flushed).rejects.toThrow()
    expect([events, sent(PUT)]).toEqual([['failed'], [['Ann', 3]]])
    fakeServer.use({ [PUT]: { status: 404 } })
    await autosave.flush()
    expect([sent(PUT).at(-1), sent(POST)]).toEqual([['Ben', 3], [['Ben']]])
  })

  test('that is stopped sends nothing more, and no event of a draft that it has created', async () => {
    const { autosave, events, type } = begin()
    const first = pending({ status: 201, data: { id: 1, version: 1 } })
    fakeServer.use({ [POST]: first.handler })
    type('Ann')
    const flushed = autosave.flush()
    type('Ben')
    autosave.stop()
    type('Cat')
    first.end()
    await flushed
    await pass()
    expect([sent(POST), sent(PUT), events]).toEqual([[['Ann']], [], ['saved']])
  })

  test('asks once for a draft that cannot be created', async () => {
    const { autosave, events, type } = begin()
    fakeServer.use({ [POST]: { status: 404 } })
    type('Ann')
    await expect(autosave.flush()).rejects.toThrow()
    expect([sent(POST), events]).toEqual([[['Ann']], ['failed']])
  })

  test.each([404, 500])(
    'that is stopped creates no other draft and emits no event, whatever fails: %i',
    async (status) => {
      const { autosave, events, type } = begin({ id: 1, version: 3 })
      const failing = pending({ status })
      fakeServer.use({ [PUT]: failing.handler })
      type('Ann')
      const flushed = autosave.flush()
      autosave.stop()
      failing.end()
      await flushed.catch(() => undefined)
      expect([sent(PUT), sent(POST), events]).toEqual([[['Ann', 3]], [], []])
    },
  )

  test('that is removed while its draft is created deletes it', async () => {
    const { autosave, type } = begin()
    const first = pending({ status: 201, data: { id: 5, version: 1 } })
    fakeServer.use({ [POST]: first.handler })
    type('Ann')
    void autosave.flush()
    const removed = autosave.remove()
    first.end()
    await removed
    expect(fakeServer.requestsTo(DELETE).map(({ path }) => path)).toEqual(['/api/drafts/5'])
    await autosave.remove()
    expect(fakeServer.requestsTo(DELETE)).toHaveLength(1)
  })
})

describe('a record that is sent', () => {
  test('takes its draft along with what was typed last, and ends it', async () => {
    const { autosave, type } = begin({ id: 1, version: 3 })
    type('Ann')
    expect(await autosave.submitWith(async (id) => id)).toBe(1)
    type('Ben')
    await autosave.flush()
    await pass()
    expect([sent(PUT), fakeServer.requestsTo(DELETE)]).toEqual([[['Ann', 3]], []])
  })

  test('creates no draft of its own, and is sent though its draft cannot be saved', async () => {
    const without = begin()
    without.type('Ann')
    expect(await without.autosave.submitWith(async (id) => id)).toBeUndefined()
    const failing = begin({ id: 1, version: 3 })
    fakeServer.use({ [PUT]: { status: 500 } })
    failing.type('Ann')
    expect(await failing.autosave.submitWith(async (id) => id)).toBe(1)
    await pass()
    expect([sent(POST), sent(PUT)]).toEqual([[], [['Ann', 3]]])
  })

  test('lets what is typed meanwhile wait, which is saved only if it is refused', async () => {
    const { autosave, type } = begin({ id: 1, version: 3 })
    let refuse = (_: Error) => {}
    const submitted = autosave.submitWith(
      () =>
        new Promise<void>((_, reject) => {
          refuse = reject
        }),
    )
    await pass()
    type('Ben')
    const flushed = autosave.flush()
    await pass()
    expect(sent(PUT)).toEqual([])
    refuse(new Error('refused'))
    await expect(submitted).rejects.toThrow('refused')
    await flushed
    expect(sent(PUT)).toEqual([['Ben', 3]])
    type('Cat')
    await pass()
    expect(sent(PUT)).toEqual([
      ['Ben', 3],
      ['Cat', 4],
    ])
  })

  test('that is refused saves its draft again, if that failed before', async () => {
    const { autosave, type } = begin({ id: 1, version: 3 })
    fakeServer.use({ [PUT]: { status: 500 } })
    type('Ann')
    const refused = autosave.submitWith(async () => {
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    fakeServer.use({ [PUT]: stored })
    await pass()
    expect([sent(PUT), autosave.isSaved()]).toEqual([
      [
        ['Ann', 3],
        ['Ann', 3],
      ],
      true,
    ])
  })

  test('deletes a draft that is created while it is sent without a connection', async () => {
    const { autosave, type } = begin()
    const first = pending({ status: 201, data: { id: 5, version: 1 } })
    fakeServer.use({ [POST]: first.handler })
    type('Ann')
    const flushed = autosave.flush()
    await vi.waitFor(() => expect(fakeServer.requestsTo(POST)).toHaveLength(1))
    reportNoReply()
    expect(await autosave.submitWith(async (id) => id)).toBeUndefined()
    first.end()
    await flushed
    await vi.waitFor(() =>
      expect(fakeServer.requestsTo(DELETE).map(({ path }) => path)).toEqual(['/api/drafts/5']),
    )
  })

  test('begins another draft where it had arrived before with other values, and goes on with its own otherwise', async () => {
    const { autosave, type } = begin({ id: 1, version: 3 })
    const refuse = (data: object) =>
      autosave.submitWith(async () => {
        throw new AxiosError('', '', undefined, undefined, { status: 409, data } as AxiosResponse)
      })
    await expect(refuse({ code: 'held' })).rejects.toThrow()
    expect(autosave.id()).toBe(1)
    await expect(refuse({ code: 'usedKey' })).rejects.toThrow()
    expect(autosave.id()).toBeUndefined()
    type('Ann')
    await autosave.flush()
    expect([sent(PUT), sent(POST)]).toEqual([[], [['Ann']]])
  })
})
