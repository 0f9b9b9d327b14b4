import { act } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { reportNoReply } from '../../src/engine/core/connection.ts'
import type { DraftRef } from '../../src/engine/form/drafts/autosave.ts'
import { discard, draftInProgress, inProgress } from '../../src/engine/form/drafts/inProgress.ts'
import { takeUnsaved } from '../../src/engine/form/drafts/unsavedDocument.ts'
import { type Draft, useDraft } from '../../src/engine/form/drafts/useDraft.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer, type Reply } from './fakeServer.ts'
import { openElement } from './open.tsx'

const CREATE = 'POST /api/drafts'
const UPDATE = 'PUT /api/drafts/{id}'
const REMOVE = 'DELETE /api/drafts/{id}'
const CREATED: Reply = { data: { id: 12, version: 1, link: '/restored' } }
/** Key of the query for the list of drafts. */
const LIST = ['call', 'drafts.list', {}, {}]
const PERSON = 7
let draft: Draft
let text: string

beforeEach(() => {
  vi.useFakeTimers()
  fakeServer.use({ [CREATE]: CREATED, [UPDATE]: { data: { id: 12, version: 2 } }, [REMOVE]: { status: 204 } })
})
afterEach(() => {
  takeUnsaved(PERSON, '/new', undefined)
  vi.useRealTimers()
})

function openDraft({ kind = 'action', known }: { kind?: string | null; known?: DraftRef } = {}) {
  text = 'Begun'
  function Form() {
    const [id, setId] = useState<number>()
    draft = useDraft({
      kind: kind ?? undefined,
      address: '/new',
      known,
      onCreate: setId,
      content: () => ({ title: 'New', payload: { document: { text } } }),
    })
    return <p>Draft {id}</p>
  }
  return openElement(<Form />, { contract })
}
const type = (typed: string) =>
  act(async () => {
    text = typed
    draft.markChanged()
  })
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
/** The texts that were sent to the server. */
const sent = () =>
  [...fakeServer.requestsTo(CREATE), ...fakeServer.requestsTo(UPDATE)].map(
    ({ body }) => (body.payload as { document: { text: string } }).document.text,
  )
const hidePage = () => act(async () => window.dispatchEvent(new Event('pagehide')))
const remembered = (id?: number) => takeUnsaved(PERSON, '/new', id)

describe('a draft whose save fails', () => {
  test('is saved again after five seconds, then after twice as long each time up to a minute', async () => {
    fakeServer.use({ [CREATE]: { status: 503 } })
    openDraft()
    await type('One')
    await wait(1000)
    expect([sent().length, draft.hasFailed]).toEqual([1, true])
    for (const [i, seconds] of [5, 10, 20, 40, 60, 60].entries()) {
      await wait(seconds * 1000 - 1)
      expect(sent()).toHaveLength(i + 1)
      await wait(1)
      expect(sent()).toHaveLength(i + 2)
    }
    fakeServer.use({ [CREATE]: CREATED })
    await wait(60_000)
    expect([draft.hasFailed, draft.savedAt]).toEqual([false, expect.any(Date)])
  })

  test('waits five seconds again after it was saved once', async () => {
    fakeServer.use({ [CREATE]: { status: 503 } })
    openDraft()
    await type('One')
    await wait(1000)
    await wait(5000)
    fakeServer.use({ [CREATE]: CREATED, [UPDATE]: { status: 503 } })
    await wait(10_000)
    await type('Two')
    await wait(1000)
    await wait(4999)
    expect(sent()).toEqual(['One', 'One', 'One', 'Two'])
    await wait(1)
    expect(sent()).toEqual(['One', 'One', 'One', 'Two', 'Two'])
  })

  test.each([
    [429, 2],
    [499, 1],
    [500, 2],
    [400, 1],
  ])('with a %i is sent %i times', async (status, times) => {
    fakeServer.use({ [CREATE]: { status } })
    openDraft()
    await type('One')
    await wait(1000)
    await wait(5000)
    expect(sent()).toHaveLength(times)
  })

  test('is not saved again because the connection is lost', async () => {
    fakeServer.use({ [CREATE]: { status: 503 } })
    openDraft()
    await type('One')
    await wait(1000)
    act(reportNoReply)
    await wait(0)
    expect(sent()).toEqual(['One'])
  })

  test('for want of a connection waits for that', async () => {
    fakeServer.use({ [CREATE]: { status: 0 } })
    openDraft()
    await type('One')
    await wait(1000)
    await wait(60_000)
    expect(sent()).toEqual(['One'])
    fakeServer.use({ [CREATE]: CREATED })
    act(fakeServer.comeBack)
    await wait(1000)
    expect(sent()).toEqual(['One', 'One'])
  })

  test('is sent once more when its form is left, and then no more', async () => {
    fakeServer.use({ [CREATE]: { status: 503 } })
    const { unmount } = openDraft()
    await type('One')
    await wait(1000)
    unmount()
    await wait(60_000)
    expect(sent()).toEqual(['One', 'One'])
    expect(remembered()).toEqual({ text: 'One' })
  })
})

describe('what was typed', () => {
  test('is sent when the form is left, or the page closed, before its second has passed', async () => {
    const { unmount } = openDraft()
    await type('One')
    await hidePage()
    expect(sent()).toEqual(['One'])
    await type('Two')
    unmount()
    await wait(0)
    expect(sent()).toEqual(['One', 'Two'])
    expect([remembered(), remembered(12)]).toEqual([undefined, undefined])
    await hidePage()
    expect(sent()).toHaveLength(2)
  })

  test('is remembered for its draft where the page is closed and it cannot be sent', async () => {
    fakeServer.use({ [UPDATE]: { status: 401 } })
    openDraft({ known: { id: 12, version: 1 } })
    await type('One')
    await hidePage()
    expect(remembered()).toBeUndefined()
    expect(remembered(12)).toEqual({ text: 'One' })
  })

  test('of what has no draft is remembered only if there is something', async () => {
    const { unmount } = openDraft({ kind: null })
    await hidePage()
    expect(remembered()).toBeUndefined()
    await type('One')
    await wait(5000)
    unmount()
    expect([sent(), remembered()]).toEqual([[], { text: 'One' }])
  })

  test.each([['action'], [null]])('is not remembered once it is saved (draft: %s)', async (kind) => {
    fakeServer.use({ [CREATE]: { status: 500 } })
    const { unmount } = openDraft({ kind })
    await type('One')
    await wait(1000)
    await act(() => draft.finish())
    await hidePage()
    unmount()
    await wait(60_000)
    expect([draft.isDirty(), inProgress(), remembered()]).toEqual([false, false, undefined])
    expect(sent()).toHaveLength(kind ? 1 : 0)
  })

  test('is not remembered where it is discarded while its save is running, which then fails', async () => {
    let end = () => {}
    const failed = new Promise<Reply>((resolve) => {
      end = () => resolve({ status: 500 })
    })
    fakeServer.use({ [CREATE]: () => failed })
    const { unmount } = openDraft()
    await type('One')
    await wait(1000)
    const left = draft.leave()
    unmount()
    end()
    await act(() => left)
    expect([sent(), remembered()]).toEqual([['One'], undefined])
  })

  test('is in progress until it is discarded, which deletes the draft', async () => {
    openDraft()
    expect(inProgress()).toBe(false)
    await type('One')
    await wait(1000)
    expect([inProgress(), draftInProgress(), draft.isDirty()]).toEqual([true, 'action', true])
    await act(discard)
    expect(fakeServer.requestsTo(REMOVE)).toHaveLength(1)
    expect([inProgress(), draft.isDirty()]).toEqual([false, false])
  })
})

describe('leaving', () => {
  test('offers to undo with what was typed last', async () => {
    const { notices, address, client } = openDraft()
    await type('One')
    await wait(1000)
    await type('Two')
    let end = () => {}
    const removed = new Promise<Reply>((resolve) => {
      end = () => resolve({ status: 204 })
    })
    fakeServer.use({ [REMOVE]: () => removed })
    const left = draft.leave()
    await wait(0)
    client.setQueryData(LIST, [])
    text = ''
    end()
    await act(() => left)
    expect([sent(), client.getQueryState(LIST)?.isInvalidated]).toEqual([['One'], true])
    client.setQueryData(LIST, [])
    act(() => notices[0].action!.run())
    await wait(0)
    expect([sent(), address()]).toEqual([['One', 'Two'], '/restored'])
    expect(fakeServer.requestsTo(CREATE)[1].body).toMatchObject({ kind: 'action', address: '/new' })
    expect(client.getQueryState(LIST)?.isInvalidated).toBe(true)
  })

  test('by finishing sends nothing more of the draft', async () => {
    openDraft()
    await type('One')
    await act(() => draft.finish())
    await wait(5000)
    expect(sent()).toEqual([])
  })

  test('offers nothing where there is no draft', async () => {
    const { notices } = openDraft({ kind: null })
    await type('One')
    await act(() => draft.leave())
    expect([notices, draft.isDirty()]).toEqual([[], false])
  })

  test.each(['finish', 'leave', 'saveAndLeave'] as const)('by %s reads the drafts again', async (how) => {
    const { client } = openDraft()
    client.setQueryData(LIST, [])
    await type('One')
    await act(() => draft[how]())
    expect(client.getQueryState(LIST)?.isInvalidated).toBe(true)
  })
})

describe('saving a draft for later', () => {
  test('stores it as it is, also where nothing changed, and only once', async () => {
    const { unmount } = openDraft({ known: { id: 12, version: 1 } })
    await act(() => draft.saveAndLeave())
    expect(fakeServer.requestsTo(UPDATE).map(({ body }) => body)).toEqual([
      { title: 'New', payload: { document: { text: 'Begun' } }, version: 1 },
    ])
    unmount()
    await wait(5000)
    expect(sent()).toHaveLength(1)
  })

  test.each([
    [0, ['No connection to the server: the draft is not saved yet']],
    [500, []],
  ])('stays where it fails with %i, and goes on saving', async (status, texts) => {
    fakeServer.use({ [CREATE]: { status } })
    const { notices } = openDraft()
    await type('One')
    await act(() => expect(draft.saveAndLeave()).rejects.toThrow())
    expect(notices.filter(({ title }) => title === 'Warning').map((one) => one.text)).toEqual(texts)
    expect([draft.isDirty(), draft.hasFailed]).toEqual([true, true])
    fakeServer.use({ [CREATE]: CREATED })
    await type('Two')
    await wait(1000)
    expect(sent().at(-1)).toBe('Two')
  })
})
