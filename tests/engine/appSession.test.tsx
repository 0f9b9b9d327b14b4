// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { noticesOf } from '../../src/app/errors.ts'
import {
  IDLE,
  leftOf,
  PING_EVERY,
  saidSeconds,
  throttlePing,
  WARNING,
  watchIdle,
} from '../../src/app/idle.ts'
import { addInterceptors } from '../../src/app/interceptors.ts'
import { isReturnable, rememberAddress, takeAddress } from '../../src/app/returnAddress.ts'
import { currentSession, expire, forget, signIn, signOut, startSession } from '../../src/app/session.ts'
import { followTabs } from '../../src/app/tabs.ts'
import { makeCall } from '../../src/engine/calls.ts'
import { http } from '../../src/engine/http.ts'
import { type Notice, onNotice } from '../../src/engine/notices.ts'
import { begin } from '../../src/engine/wizard/progress.ts'
import { type Answer, contract, countOf, person, sent, serve } from './appFake.ts'

const CSRF = { 'GET /api_admin/csrf_token/': { data: { csrftoken: 'c1' } } }
const LOGIN = { 'POST /login/': { data: { key: 'k1', user: person([4]) } } }
const told: Notice[] = []
let stops: (() => void)[] = []

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  forget('left')
  localStorage.clear()
  told.length = 0
  stops = [addInterceptors(contract), onNotice((notice) => told.push(notice))]
})
afterEach(() => {
  for (const stop of stops) stop()
  vi.useRealTimers()
})

describe('what a failed call tells', () => {
  const told = async (url: string, status: number, data?: unknown, type?: string) => {
    serve({ [`GET ${url}`]: { status, data, type } })
    const error = await http.get(url).catch((reason) => reason)
    return (await noticesOf(error)).map(({ kind, title, text }) => [kind, title, text])
  }
  const bad = (text: string, title = 'Warning') => ['error', title, text]
  const warning = (text: string) => ['warning', 'Warning', text]
  const cases: [string, string, number, unknown, unknown[]][] = [
    ['403', '/cases/', 403, { message: 'no' }, [warning('Access is denied')]],
    ['403 at login', '/login/', 403, { message: 'no' }, []],
    ['500, misspelt as specified', '/cases/', 500, { message: 'x' }, [warning('Something wend wrong')]],
    ['500 at login', '/login/', 500, undefined, [warning('Something wend wrong')]],
    ['413', '/issue/1/file/', 413, undefined, [warning('Uploaded file is too large')]],
    ['a message', '/cases/', 423, { message: 'Locked' }, [bad('Locked')]],
    ['a conflict', '/case/1/', 409, { code: 'conflict', message: 'Changed', fields: {} }, [bad('Changed')]],
    [
      'lists by key',
      '/case/',
      400,
      { a: ['1', '2'], b: ['3'] },
      [bad('1', 'a'), bad('2', 'a'), bad('3', 'b')],
    ],
    ['nested lists', '/case/', 400, { a: { b: ['1'] } }, [bad('1', 'a.b')]],
    ['a bare list', '/case/', 400, ['1', '2'], [bad('1'), bad('2')]],
    ['other JSON', '/case/', 400, { detail: 'x' }, [bad('{"detail":"x"}')]],
    ['no body', '/case/', 404, undefined, [bad('The server answered with an error (404)')]],
    ['login', '/login/', 401, { message: 'x' }, []],
    ['reset', '/accounts/password/reset/', 400, { message: 'x' }, []],
    ['own password', '/user/change-own-password/', 400, { message: 'x' }, []],
    ['admin', '/api_admin/core/', 400, { message: 'x' }, []],
    ['a name in the query does not count', '/cases/?client=login', 400, { message: 'x' }, [bad('x')]],
  ]
  test.each(cases)('%s', async (_, url, status, data, expected) => {
    expect(await told(url, status, data)).toEqual(expected)
  })
  test('a page of a proxy is not shown, plain text is while it is short', async () => {
    expect(await told('/cases/', 502, '<h1>Bad</h1>', 'text/html')).toEqual([
      bad('The server answered with an error (502)'),
    ])
    expect(await told('/cases/', 503, 'Back soon', 'text/plain')).toEqual([bad('Back soon')])
    expect(await told('/cases/', 503, 'x'.repeat(301), 'text/plain')).toEqual([
      bad('The server answered with an error (503)'),
    ])
  })
  test('a file that is an error is read', async () => {
    const blob = Object.assign(new Blob(['{"message":"Too many rows"}']), {
      text: async () => '{"message":"Too many rows"}',
    })
    expect(await told('/cases/', 400, blob)).toEqual([bad('Too many rows')])
  })
  test('no answer', async () => {
    serve({})
    const error = await http.get('/cases/').catch((reason) => reason)
    expect(await noticesOf(error)).toMatchObject([{ kind: 'error', text: 'No connection to the server' }])
  })
})

describe('calls', () => {
  test('carry the token and the anti-forgery value, which is fetched once before the first change', async () => {
    serve({ ...CSRF, ...LOGIN, 'GET /api/ping/': {}, 'POST /case/': {} })
    await signIn(contract, 'auth.login', { username: 'a', password: 'b' })
    await Promise.all([makeCall(contract, 'auth.ping'), makeCall(contract, 'cases.create')])
    expect(sent.map((one) => one.call)).toEqual([
      'GET /api_admin/csrf_token/',
      'POST /login/',
      'GET /api/ping/',
      'POST /case/',
    ])
    expect(sent[3].config.headers.toJSON()).toMatchObject({ Authorization: 'Token k1', 'X-Csrftoken': 'c1' })
    expect(localStorage.getItem('token')).toBe('k1')
    expect(localStorage.getItem('csrfmiddlewaretoken')).toBe('c1')
    expect(JSON.parse(sent[1].config.data)).toEqual({ username: 'a', password: 'b' })
  })
  test('changes at the same time share one anti-forgery value', async () => {
    serve({ ...CSRF, 'POST /case/': {} })
    await Promise.all([makeCall(contract, 'cases.create'), makeCall(contract, 'cases.create')])
    expect(countOf('GET /api_admin/csrf_token/')).toBe(1)
  })
  test('an old anti-forgery value is replaced once, and the call made again with the same body', async () => {
    localStorage.setItem('csrfmiddlewaretoken', 'old')
    const answer = (config: { headers: { get(name: string): unknown } }): Answer =>
      config.headers.get('X-Csrftoken') === 'c1' ? { data: 'ok' } : { status: 403, data: { code: 'csrf' } }
    serve({ ...CSRF, 'POST /case/': answer, 'GET /case/1/retire/': answer })
    expect(await makeCall(contract, 'cases.create', { body: { a: 1 } })).toBe('ok')
    expect(sent.at(-1)?.config.data).toBe('{"a":1}')
    localStorage.setItem('csrfmiddlewaretoken', 'old')
    expect(await makeCall(contract, 'cases.retire', { params: { id: 1 } })).toBe('ok')
    expect(told).toEqual([])
    serve({ ...CSRF, 'POST /case/': { status: 403, data: { code: 'csrf' } } })
    await expect(makeCall(contract, 'cases.create')).rejects.toThrow()
    expect(countOf('POST /case/')).toBe(2)
    expect(told).toMatchObject([{ text: 'Access is denied' }])
  })
  test('restart the clock when they succeed, and only then', async () => {
    serve({ 'GET /api/ping/': {} })
    await makeCall(contract, 'auth.ping')
    expect(Number(localStorage.getItem('lastResponse'))).toBeGreaterThan(Date.now() - 5000)
    localStorage.setItem('lastResponse', '1')
    serve({ 'GET /api/ping/': { status: 500 } })
    await expect(makeCall(contract, 'auth.ping')).rejects.toThrow()
    expect(localStorage.getItem('lastResponse')).toBe('1')
  })
})

describe('the session', () => {
  const login = async () => {
    serve({ ...CSRF, ...LOGIN, 'POST /logout/': { status: 204 } })
    await signIn(contract, 'auth.login', {})
  }
  test('begins with the stored token', async () => {
    serve({ 'GET /api/staff/me/info': { data: person([1]) } })
    await startSession(contract)
    expect(currentSession()).toMatchObject({ state: 'ready' })
    localStorage.setItem('token', 'k0')
    await startSession(contract)
    expect(currentSession()).toMatchObject({ state: 'ready', user: { id: 7 } })
    expect(sent[0].config.headers.get('Authorization')).toBe('Token k0')
  })
  test('ends where the server refuses the stored token, without a toast', async () => {
    localStorage.setItem('token', 'k0')
    serve({ 'GET /api/staff/me/info': { status: 401, data: { message: 'Sign in first' } } })
    await startSession(contract)
    expect(currentSession()).toMatchObject({ state: 'ready', ended: 'expired' })
    expect(localStorage.getItem('token')).toBeNull()
    expect(told).toEqual([])
  })
  test('may be tried again where the server cannot be reached', async () => {
    localStorage.setItem('token', 'k0')
    serve({})
    await startSession(contract)
    expect(currentSession().state).toBe('failed')
    expect(localStorage.getItem('token')).toBe('k0')
  })
  test('ends here whatever the server says to it', async () => {
    await login()
    serve({ 'POST /logout/': { status: 401, data: { message: 'x' } } })
    await signOut(contract)
    expect(countOf('POST /logout/')).toBe(1)
    expect(sent[0].config.headers.get('Authorization')).toBe('Token k1')
    expect(currentSession()).toMatchObject({ ended: 'left', lastUser: 7 })
    expect(currentSession().user).toBeUndefined()
    expect(localStorage.getItem('token')).toBeNull()
    expect(localStorage.getItem('csrfmiddlewaretoken')).toBeNull()
    expect(told).toEqual([])
  })
  test('that is refused late does not end the one after it', async () => {
    await login()
    serve({
      'GET /cases/': () => {
        localStorage.setItem('token', 'k2')
        return { status: 401 }
      },
    })
    await expect(http.get('/cases/')).rejects.toThrow()
    expect(currentSession().user?.id).toBe(7)
    expect(localStorage.getItem('token')).toBe('k2')
  })
  test('that expires says so, and that a draft is kept', async () => {
    await login()
    const end = begin({ discard: async () => {} })
    await expire(contract)
    end()
    expect(currentSession()).toMatchObject({ ended: 'expired', keptDraft: true })
  })
  test('is followed by other tabs', async () => {
    const reload = vi.fn()
    stops.push(followTabs(contract, reload))
    const hear = (newValue: string | null) =>
      dispatchEvent(new StorageEvent('storage', { key: 'token', newValue }))
    await login()
    hear('another')
    expect(reload).toHaveBeenCalledOnce()
    localStorage.setItem('ended', 'expired')
    hear(null)
    expect(currentSession()).toMatchObject({ ended: 'expired' })
    expect(currentSession().user).toBeUndefined()
    serve({ 'GET /api/staff/me/info': { data: person([1], 8) } })
    localStorage.setItem('token', 'k3')
    hear('k3')
    await vi.waitFor(() => expect(currentSession().user?.id).toBe(8))
    expect(reload).toHaveBeenCalledOnce()
  })
})

describe('the address to return to', () => {
  test.each(['/cases/5', '/dashboard?p=2', '/clients/1/info#x', '/case?draft=3'])('%s is one', (path) => {
    expect(isReturnable(path)).toBe(true)
  })
  test.each([
    '/',
    '/login',
    '/login?x=1',
    '/thanks',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'cases/5',
    '',
  ])('%s is none', (path) => {
    expect(isReturnable(path)).toBe(false)
  })
  test('is used once, and only by the same person', () => {
    rememberAddress('/cases/5', 7)
    expect(takeAddress(8)).toBeUndefined()
    expect(takeAddress(7)).toBeUndefined()
    rememberAddress('/cases/5', 7)
    expect(takeAddress(7)).toBe('/cases/5')
    expect(takeAddress(7)).toBeUndefined()
    rememberAddress('/cases/6')
    expect(takeAddress(8)).toBe('/cases/6')
  })
  test('is judged again when it is used', () => {
    sessionStorage.setItem('returnAddress', '{"path":"//evil.example"}')
    expect(takeAddress(7)).toBeUndefined()
    sessionStorage.setItem('returnAddress', 'not JSON')
    expect(takeAddress(7)).toBeUndefined()
  })
})

describe('the idle clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 })
  })
  const watch = (lastResponse: () => number) => {
    const shown: (number | undefined)[] = []
    const end = vi.fn()
    const clock = watchIdle({ lastResponse, show: (left) => shown.push(left), end })
    stops.push(clock.stop)
    return { shown, end, check: clock.check }
  }
  test('warns 120 s before the end at 612000 ms, each second, and ends once', () => {
    const { shown, end } = watch(() => 1_000_000)
    vi.advanceTimersByTime(IDLE - WARNING - 1)
    expect(shown).toEqual([])
    vi.advanceTimersByTime(1)
    expect(shown).toEqual([WARNING])
    vi.advanceTimersByTime(WARNING - 1)
    expect(shown).toHaveLength(120)
    expect(end).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    vi.advanceTimersByTime(IDLE)
    expect(end).toHaveBeenCalledOnce()
    expect(IDLE).toBe(612_000)
  })
  test('is put back by a response of any tab, also while it warns', () => {
    let last = 1_000_000
    const { shown, end } = watch(() => last)
    vi.advanceTimersByTime(IDLE - WARNING)
    last = Date.now()
    vi.advanceTimersByTime(1000)
    expect(shown).toEqual([WARNING, undefined])
    vi.advanceTimersByTime(IDLE - 2000)
    expect(end).not.toHaveBeenCalled()
  })
  test('counts what was slept through', () => {
    const { end, check } = watch(() => 1_000_000)
    vi.setSystemTime(1_000_000 + IDLE + 5)
    check()
    check()
    expect(end).toHaveBeenCalledOnce()
  })
  test('says each quarter of a minute, and each second in the last twenty', () => {
    expect([120_000, 119_000, 105_001, 105_000, 21_000, 20_000, 19_999, 1].map(saidSeconds)).toEqual([
      120, 120, 120, 105, 30, 20, 20, 1,
    ])
    expect(leftOf(0, IDLE + 1)).toBe(0)
  })
  test('is kept by a ping on input, at once and then at most once in 306000 ms, at the end of that time', () => {
    let last = 0
    const send = vi.fn()
    const hooks = {
      lastPing: () => last,
      pinged: (at: number) => {
        last = at
      },
      send,
    }
    const [one, two] = [throttlePing(hooks), throttlePing(hooks)]
    stops.push(one.stop, two.stop)
    one.input()
    expect(send).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(PING_EVERY - 1)
    one.input()
    // Another tab knows of the ping of this one.
    two.input()
    expect(send).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    expect(send).toHaveBeenCalledTimes(2)
    vi.advanceTimersByTime(PING_EVERY)
    expect(send).toHaveBeenCalledTimes(3)
    vi.advanceTimersByTime(10 * PING_EVERY)
    expect(send).toHaveBeenCalledTimes(3)
    expect(PING_EVERY).toBe(306_000)
  })
})
