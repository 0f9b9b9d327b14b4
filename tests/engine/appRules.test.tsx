import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { noticesOf } from '../../src/app/core/errors.ts'
import { announcedSeconds, leftOf, throttlePing, WARNING, watchIdle } from '../../src/app/core/idle.ts'
import { isReturnable, popReturnAddress, rememberReturnAddress } from '../../src/app/core/returnAddress.ts'
import { INACTIVITY_MS, PING_THROTTLE_MS } from '../../src/contract/limits.ts'
import { http } from '../../src/engine/core/http.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer } from './fakeServer.ts'

describe('notices of a failed call', () => {
  const noticesFor = async (url: string, status: number, data?: unknown, type = 'application/json') => {
    const [path] = url.split('?')
    fakeServer.use({ [`GET ${path}`]: { status, data, headers: { 'content-type': type } } })
    const error = await http.get(url).catch((reason) => reason)
    return (await noticesOf(error, contract)).map(({ kind, title, text }) => [kind, title, text])
  }
  const bad = (text: string, title = 'Warning') => ['error', title, text]
  const warning = (text: string) => ['warning', 'Warning', text]
  const cases: [string, string, number, unknown, unknown[]][] = [
    ['403', '/cases/', 403, { message: 'no' }, [warning('Access is denied')]],
    ['403 at login', '/login/', 403, { message: 'no' }, []],
    ['500, misspelt as specified', '/cases/', 500, { message: 'x' }, [warning('Something wend wrong')]],
    ['500 at login', '/login/', 500, undefined, [warning('Something wend wrong')]],
    ['413', '/issue/1/file/', 413, undefined, [warning('Uploaded file is too large')]],
    ['413 of a body', '/case/1/', 413, { code: 'bodyTooLarge', message: 'Too much' }, [bad('Too much')]],
    ['413 of a list', '/cases/', 413, { code: 'tooMany', message: 'Too many' }, [bad('Too many')]],
    ['a message', '/cases/', 423, { message: 'Locked' }, [bad('Locked')]],
    [
      '429, also for calls whose other errors the screen shows',
      '/api_admin/core/title/list/',
      429,
      { code: 'tooManyRequests', message: 'Try again in 9 seconds.' },
      [bad('Try again in 9 seconds.')],
    ],
    ['a conflict', '/case/1/', 409, { code: 'conflict', message: 'Changed' }, [bad('Changed')]],
    [
      'a conflict that the page shows',
      '/case/1/',
      409,
      { code: 'conflict', message: 'Changed', fields: {}, current: {} },
      [],
    ],
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
    expect(await noticesFor(url, status, data)).toEqual(expected)
  })
  test('HTML of a proxy is not shown; short plain text is', async () => {
    expect(await noticesFor('/cases/', 502, '<h1>Bad</h1>', 'text/html')).toEqual([
      bad('The server answered with an error (502)'),
    ])
    expect(await noticesFor('/cases/', 503, 'Back soon', 'text/plain')).toEqual([bad('Back soon')])
    expect(await noticesFor('/cases/', 503, 'x'.repeat(301), 'text/plain')).toEqual([
      bad('The server answered with an error (503)'),
    ])
  })
  test('an error in a file download is parsed', async () => {
    const blob = Object.assign(new Blob(['{"message":"Too many rows"}']), {
      text: async () => '{"message":"Too many rows"}',
    })
    expect(await noticesFor('/cases/', 400, blob)).toEqual([bad('Too many rows')])
  })
  test.each([
    ['/staff/add/', 'username', 'User name'],
    ['/case/', 'client.first_name', 'First name'],
    ['/action/', 'hnc_outcomes.0.date', 'Date'],
    ['/staff/add/', 'unknown', 'unknown'],
  ])('of POST %s have the title of the field %s', async (url, key, title) => {
    fakeServer.use({ [`POST ${url}`]: { status: 400, data: { [key]: ['is wrong'] } } })
    const error = await http.post(url).catch((reason) => reason)
    expect(await noticesOf(error, contract)).toMatchObject([{ title, text: 'is wrong' }])
  })
  test.each([
    ['Date of birth must be a real date', 'Must be a real date'],
    ['Enter date of birth', 'Needs an answer'],
    ['Choose date of birth', 'Needs an answer'],
    ['Answer “Date of birth”', 'Needs an answer'],
    ['must not be after the date of death', 'must not be after the date of death'],
    ['Dates of birth are two', 'Dates of birth are two'],
  ])('say the label of a field once: %s', async (message, text) => {
    fakeServer.use({ 'POST /case/': { status: 400, data: { 'client.dob': [message] } } })
    const error = await http.post('/case/').catch((reason) => reason)
    expect(await noticesOf(error, contract)).toMatchObject([{ title: 'Date of birth', text }])
  })
  test('a lost connection', async () => {
    fakeServer.use({ 'GET /cases/': { status: 0 } })
    const error = await http.get('/cases/').catch((reason) => reason)
    expect(await noticesOf(error, contract)).toMatchObject([
      { kind: 'error', text: 'No connection to the server' },
    ])
  })
})

describe('the address to return to', () => {
  test.each(['/cases/5', '/dashboard?p=2', '/clients/1/info#x', '/case?draft=3'])('%s is allowed', (path) => {
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
  ])('%s is refused', (path) => {
    expect(isReturnable(path)).toBe(false)
  })
  test('is used once, and only by the same user', () => {
    rememberReturnAddress('/cases/5', 7)
    expect(popReturnAddress(8)).toBeUndefined()
    expect(popReturnAddress(7)).toBeUndefined()
    rememberReturnAddress('/cases/5', 7)
    expect(popReturnAddress(7)).toBe('/cases/5')
    expect(popReturnAddress(7)).toBeUndefined()
    rememberReturnAddress('/cases/6')
    expect(popReturnAddress(8)).toBe('/cases/6')
  })
  test('is validated again when it is used', () => {
    sessionStorage.setItem('returnAddress', '{"path":"//evil.example"}')
    expect(popReturnAddress(7)).toBeUndefined()
    sessionStorage.setItem('returnAddress', 'not JSON')
    expect(popReturnAddress(7)).toBeUndefined()
  })
})

describe('the idle timer', () => {
  let stops: (() => void)[] = []
  beforeEach(() => {
    stops = []
    vi.useFakeTimers({ now: 1_000_000 })
  })
  afterEach(() => {
    for (const stop of stops) stop()
    vi.useRealTimers()
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
    vi.advanceTimersByTime(INACTIVITY_MS - WARNING - 1)
    expect(shown).toEqual([])
    vi.advanceTimersByTime(1)
    expect(shown).toEqual([WARNING])
    vi.advanceTimersByTime(WARNING - 1)
    expect(shown).toHaveLength(120)
    expect(end).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    vi.advanceTimersByTime(INACTIVITY_MS)
    expect(end).toHaveBeenCalledOnce()
    expect(INACTIVITY_MS).toBe(612_000)
  })
  test('is reset by a response of any tab, also while it warns', () => {
    let last = 1_000_000
    const { shown, end } = watch(() => last)
    vi.advanceTimersByTime(INACTIVITY_MS - WARNING)
    last = Date.now()
    vi.advanceTimersByTime(1000)
    expect(shown).toEqual([WARNING, undefined])
    vi.advanceTimersByTime(INACTIVITY_MS - 2000)
    expect(end).not.toHaveBeenCalled()
  })
  test('counts the time that the computer slept', () => {
    const { end, check } = watch(() => 1_000_000)
    vi.setSystemTime(1_000_000 + INACTIVITY_MS + 5)
    check()
    check()
    expect(end).toHaveBeenCalledOnce()
  })
  test('announces every quarter of a minute, and every second in the last twenty', () => {
    expect([120_000, 119_000, 105_001, 105_000, 21_000, 20_000, 19_999, 1].map(announcedSeconds)).toEqual([
      120, 120, 120, 105, 30, 20, 20, 1,
    ])
    expect(leftOf(0, INACTIVITY_MS + 1)).toBe(0)
  })
  test('is reset by a ping on input, at once and then at most once in 306000 ms, at the end of that time', () => {
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
    vi.advanceTimersByTime(PING_THROTTLE_MS - 1)
    one.input()
    // Another tab shares the time of the last ping.
    two.input()
    expect(send).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    expect(send).toHaveBeenCalledTimes(2)
    vi.advanceTimersByTime(PING_THROTTLE_MS)
    expect(send).toHaveBeenCalledTimes(3)
    vi.advanceTimersByTime(10 * PING_THROTTLE_MS)
    expect(send).toHaveBeenCalledTimes(3)
    expect(PING_THROTTLE_MS).toBe(306_000)
  })
})
