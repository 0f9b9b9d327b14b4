// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readEventStream } from '../../src/app/core/eventStream.ts'
import { subscribeToVersions } from '../../src/app/core/versionEvents.ts'
import { readKey } from '../../src/engine/core/calls.ts'
import { applyVersionEvents } from '../../src/engine/core/versionEvents.ts'
import { contract } from '../loadedContract.ts'

const streamOf = (pieces: string[], end = true) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
        if (end) controller.close()
      },
    }),
  )

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('a stream of events', () => {
  const read = (reply: Response, emit = vi.fn()) =>
    readEventStream(async () => reply, emit, new AbortController().signal).then((result) => ({
      result,
      emit,
    }))

  it('is parsed event by event, however the chunks are cut', async () => {
    const { result, emit } = await read(
      streamOf(['event: published\nda', 'ta: [1]\n\n: still here\n\ndata: [2', ',3]\n\n']),
    )
    expect(result).toBe('ended')
    expect(emit.mock.calls).toEqual([[[1]], [[2, 3]]])
  })

  it('without an event times out', async () => {
    vi.useFakeTimers()
    const going = read(streamOf([': still here\n\n'], false))
    await vi.advanceTimersByTimeAsync(5000)
    expect((await going).result).toBe('nothing')
  })

  it('that cannot be parsed is closed, with its timer', async () => {
    vi.useFakeTimers()
    const cancel = vi.fn()
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('data: {nonsense\n\n')),
      cancel,
    })
    expect((await read(new Response(body))).result).toBe('ended')
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce())
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that fails does not time out as well', async () => {
    vi.useFakeTimers()
    const onRejection = vi.fn()
    process.on('unhandledRejection', onRejection)
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('broken off')) })
    expect((await read(new Response(body))).result).toBe('ended')
    await vi.advanceTimersByTimeAsync(5000)
    vi.useRealTimers()
    await new Promise(setImmediate)
    process.off('unhandledRejection', onRejection)
    expect(onRejection).not.toHaveBeenCalled()
  })

  it('that is refused or fails counts as ended', async () => {
    expect((await read(new Response('', { status: 401 }))).result).toBe('ended')
    const broken = readEventStream(
      () => Promise.reject(new Error('gone')),
      vi.fn(),
      new AbortController().signal,
    )
    expect(await broken).toBe('ended')
  })
})

describe('version events', () => {
  const client = new QueryClient()
  const isStale = (key: unknown[]) => client.getQueryState(key)?.isInvalidated
  const key = (id: number | string) => readKey('caseTypes.read', { params: { id } })

  it('invalidates queries of an older version, and lookups', () => {
    client.setQueryData(key('1'), { id: 1, version: 3 })
    client.setQueryData(key(2), { id: 2, version: 3 })
    client.setQueryData(['lookup', 'case_type', {}], [])
    const events = (version: number) => [
      { entity: 'caseType', id: 1, version },
      { entity: 'caseType', id: 2, version: 3 },
    ]
    applyVersionEvents(contract, client, events(3))
    expect([key('1'), ['lookup', 'case_type', {}]].map(isStale)).toEqual([false, false])
    applyVersionEvents(contract, client, events(4))
    expect([key('1'), key(2), ['lookup', 'case_type', {}]].map(isStale)).toEqual([true, false, true])
  })

  it('of a case type invalidates its open records, whose answers it may have moved', () => {
    const records = [
      ['cases.read', { id: '7' }, { case_type: { id: 3 }, answers: {} }],
      ['issues.read', { id: '8' }, { case_type: 3, answers: {} }],
      ['issues.read', { id: '9' }, { case_type: 4, answers: {} }],
    ] as const
    client.setQueryData(readKey('caseTypes.read', { params: { id: 3 } }), { version: 1 })
    const keys = records.map(([name, params, data]) => {
      const key = readKey(name, { params })
      client.setQueryData(key, data)
      return key
    })
    applyVersionEvents(contract, client, [{ entity: 'caseType', id: 3, version: 2 }])
    expect(keys.map(isStale)).toEqual([true, true, false])
  })

  it('of lookups invalidates them if the version changed', () => {
    const choices = ['lookup', 'gender', {}]
    const apply = (version: number) => {
      client.setQueryData(choices, [])
      applyVersionEvents(contract, client, [{ entity: 'lookup', id: 0, version }])
      return isStale(choices)
    }
    expect([apply(9), apply(9), apply(10)]).toEqual([false, false, true])
  })

  it('of lookups invalidates the case types too, which come with the calendars of bank holidays', () => {
    const calls = ['caseTypes.read', 'issues.read'].map((name) => readKey(name, { params: { id: 1 } }))
    const apply = (version: number) => {
      for (const one of calls) client.setQueryData(one, { version: 1 })
      applyVersionEvents(contract, client, [{ entity: 'lookup', id: 0, version }])
      return calls.map(isStale)
    }
    expect([apply(20), apply(20), apply(21)].at(-1)).toEqual([true, false])
  })

  it('that records were revalidated invalidates the lists of invalid records only', () => {
    const calls = ['validation.notification', 'validation.issues', 'issues.read'].map((name) =>
      readKey(name, {}),
    )
    const apply = (version: number) => {
      for (const one of calls) client.setQueryData(one, {})
      applyVersionEvents(contract, client, [{ entity: 'invalidRow', id: 0, version }])
      return calls.map(isStale)
    }
    expect(apply(4)).toEqual([false, false, false])
    expect(apply(5)).toEqual([true, true, false])
  })

  it('that notices of work came invalidates them and their counts', () => {
    const calls = ['workNotices.list', 'workNotices.counts', 'issues.read'].map((name) => readKey(name, {}))
    const apply = (version: number) => {
      for (const one of calls) client.setQueryData(one, {})
      applyVersionEvents(contract, client, [{ entity: 'workNotice', id: 0, version }])
      return calls.map(isStale)
    }
    expect(apply(4)).toEqual([false, false, false])
    expect(apply(5)).toEqual([true, true, false])
  })
})

describe('a browser without shared locks', () => {
  it('polls, without resetting the idle timer, and stops', async () => {
    vi.useFakeTimers()
    const fetched = vi.fn(async () => Response.json([]))
    vi.stubGlobal('fetch', fetched)
    localStorage.setItem('token', 'k1')
    localStorage.removeItem('lastResponse')
    const stop = subscribeToVersions(contract, new QueryClient())
    await vi.advanceTimersByTimeAsync(11_000)
    expect(fetched.mock.calls.map(([path]: unknown[]) => path)).toEqual([
      '/api/news',
      '/api/news',
      '/api/news',
    ])
    expect(localStorage.getItem('lastResponse')).toBeNull()
    stop()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(fetched).toHaveBeenCalledTimes(3)
  })

  it('goes on polling after a proxy has answered in HTML, and leaves no listeners', async () => {
    vi.useFakeTimers()
    const added = vi.spyOn(AbortSignal.prototype, 'addEventListener')
    const removed = vi.spyOn(AbortSignal.prototype, 'removeEventListener')
    const fetched = vi.fn(async () => new Response('<h1>Sign in to the network</h1>'))
    vi.stubGlobal('fetch', fetched)
    const stop = subscribeToVersions(contract, new QueryClient())
    await vi.advanceTimersByTimeAsync(11_000)
    expect(fetched).toHaveBeenCalledTimes(3)
    // That of the wait which is under way.
    expect(added.mock.calls.length - removed.mock.calls.length).toBe(1)
    stop()
  })
})
