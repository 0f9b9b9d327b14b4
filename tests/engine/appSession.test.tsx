// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { addInterceptors } from '../../src/app/interceptors.ts'
import {
  clearSession,
  currentSession,
  expire,
  signIn,
  signOut,
  startSession,
} from '../../src/app/signIn/session.ts'
import { followTabs } from '../../src/app/signIn/tabs.ts'
import { markInProgress } from '../../src/engine/drafts/inProgress.ts'
import { makeCall } from '../../src/engine/runtime/calls.ts'
import { http } from '../../src/engine/runtime/http.ts'
import { type Notice, subscribeToNotices } from '../../src/engine/runtime/notices.ts'
import { type Answer, contract, countOf, person, sent, serve } from './appFake.ts'

const CSRF = { 'GET /api_admin/csrf_token/': { data: { csrftoken: 'c1' } } }
const LOGIN = { 'POST /login/': { data: { key: 'k1', user: person([4]) } } }
const told: Notice[] = []
let stops: (() => void)[] = []

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  clearSession('left')
  localStorage.clear()
  told.length = 0
  stops = [addInterceptors(contract), subscribeToNotices((notice) => told.push(notice))]
})
afterEach(() => {
  for (const stop of stops) stop()
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
    const end = markInProgress({ kind: 'action', discard: async () => {} })
    await expire(contract)
    end()
    expect(currentSession()).toMatchObject({ ended: 'expired', savedDraft: 'action' })
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
