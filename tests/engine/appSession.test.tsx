import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { addInterceptors } from '../../src/app/core/interceptors.ts'
import {
  clearSession,
  currentSession,
  expire,
  signIn,
  signOut,
  startSession,
} from '../../src/app/core/session.ts'
import { followTabs } from '../../src/app/core/tabs.ts'
import { makeCall } from '../../src/engine/core/calls.ts'
import { http } from '../../src/engine/core/http.ts'
import { type Notice, subscribeToNotices } from '../../src/engine/core/notices.ts'
import { markInProgress } from '../../src/engine/form/drafts/inProgress.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer, type Handlers } from './fakeServer.ts'
import { person } from './open.tsx'

const CSRF = { 'GET /api_admin/csrf_token/': { data: { csrftoken: 'c1' } } }
const LOGIN = { 'POST /login/': { data: { key: 'k1', user: person([4]) } } }
const notices: Notice[] = []
let stops: (() => void)[] = []

beforeEach(() => {
  clearSession('left')
  localStorage.clear()
  notices.length = 0
  stops = [addInterceptors(contract), subscribeToNotices((notice) => notices.push(notice))]
})
afterEach(() => {
  for (const stop of stops) stop()
})

describe('calls', () => {
  test('carry the token and the CSRF token, which is fetched once before the first change', async () => {
    fakeServer.use({ ...CSRF, ...LOGIN, 'GET /api/ping/': {}, 'POST /case/': {} })
    await signIn(contract, 'auth.login', { username: 'a', password: 'b' })
    await Promise.all([makeCall(contract, 'auth.ping'), makeCall(contract, 'cases.create')])
    expect(fakeServer.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api_admin/csrf_token/',
      'POST /login/',
      'GET /api/ping/',
      'POST /case/',
    ])
    expect(fakeServer.requests[3].headers).toMatchObject({ Authorization: 'Token k1', 'X-Csrftoken': 'c1' })
    expect(localStorage.getItem('token')).toBe('k1')
    expect(localStorage.getItem('csrfmiddlewaretoken')).toBe('c1')
    expect(fakeServer.requests[1].body).toEqual({ username: 'a', password: 'b' })
  })
  test('changes at the same time share one request for the CSRF token', async () => {
    fakeServer.use({ ...CSRF, 'POST /case/': {} })
    await Promise.all([makeCall(contract, 'cases.create'), makeCall(contract, 'cases.create')])
    expect(fakeServer.requestsTo('GET /api_admin/csrf_token/')).toHaveLength(1)
  })
  test('an old CSRF token is replaced once, and the call retried with the same body', async () => {
    localStorage.setItem('csrfmiddlewaretoken', 'old')
    const withToken: Handlers[string] = ({ headers }) =>
      headers['X-Csrftoken'] === 'c1' ? { data: 'ok' } : { status: 403, data: { code: 'csrf' } }
    fakeServer.use({ ...CSRF, 'POST /case/': withToken, 'GET /case/1/retire/': withToken })
    expect(await makeCall(contract, 'cases.create', { body: { a: 1 } })).toBe('ok')
    expect(fakeServer.requests.at(-1)?.body).toEqual({ a: 1 })
    localStorage.setItem('csrfmiddlewaretoken', 'old')
    expect(await makeCall(contract, 'cases.retire', { params: { id: 1 } })).toBe('ok')
    expect(notices).toEqual([])
    fakeServer.use({ ...CSRF, 'POST /case/': { status: 403, data: { code: 'csrf' } } })
    await expect(makeCall(contract, 'cases.create')).rejects.toThrow()
    expect(fakeServer.requestsTo('POST /case/')).toHaveLength(4)
    expect(notices).toMatchObject([{ text: 'Access is denied' }])
  })
  test('restart the idle timer only if they succeed', async () => {
    fakeServer.use({ 'GET /api/ping/': {} })
    await makeCall(contract, 'auth.ping')
    expect(Number(localStorage.getItem('lastResponse'))).toBeGreaterThan(Date.now() - 5000)
    localStorage.setItem('lastResponse', '1')
    fakeServer.use({ 'GET /api/ping/': { status: 500 } })
    await expect(makeCall(contract, 'auth.ping')).rejects.toThrow()
    expect(localStorage.getItem('lastResponse')).toBe('1')
  })
})

describe('the session', () => {
  const login = async () => {
    fakeServer.use({ ...CSRF, ...LOGIN, 'POST /logout/': { status: 204 } })
    await signIn(contract, 'auth.login', {})
  }
  test('starts with the stored token', async () => {
    fakeServer.use({ 'GET /api/staff/me/info': { data: person([1]) } })
    await startSession(contract)
    expect(currentSession()).toMatchObject({ state: 'ready' })
    localStorage.setItem('token', 'k0')
    await startSession(contract)
    expect(currentSession()).toMatchObject({ state: 'ready', user: { id: 7 } })
    expect(fakeServer.requests[0].headers.Authorization).toBe('Token k0')
  })
  test('ends without a notice if the server refuses the stored token', async () => {
    localStorage.setItem('token', 'k0')
    fakeServer.use({ 'GET /api/staff/me/info': { status: 401, data: { message: 'Sign in first' } } })
    await startSession(contract)
    expect(currentSession()).toMatchObject({ state: 'ready', ended: 'expired' })
    expect(localStorage.getItem('token')).toBeNull()
    expect(notices).toEqual([])
  })
  test('can be retried after a lost connection', async () => {
    localStorage.setItem('token', 'k0')
    fakeServer.use({ 'GET /api/staff/me/info': { status: 0 } })
    await startSession(contract)
    expect(currentSession().state).toBe('failed')
    expect(localStorage.getItem('token')).toBe('k0')
  })
  test('ends even if the server refuses the sign-out', async () => {
    await login()
    fakeServer.use({ 'POST /logout/': { status: 401, data: { message: 'x' } } })
    await signOut(contract)
    expect(fakeServer.requestsTo('POST /logout/')).toHaveLength(1)
    expect(fakeServer.requestsTo('POST /logout/')[0].headers.Authorization).toBe('Token k1')
    expect(currentSession()).toMatchObject({ ended: 'left', lastUser: 7 })
    expect(currentSession().user).toBeUndefined()
    expect(localStorage.getItem('token')).toBeNull()
    expect(localStorage.getItem('csrfmiddlewaretoken')).toBeNull()
    expect(notices).toEqual([])
  })
  test('that is refused late does not end the next one', async () => {
    await login()
    fakeServer.use({
      'GET /cases/': () => {
        localStorage.setItem('token', 'k2')
        return { status: 401 }
      },
    })
    await expect(http.get('/cases/')).rejects.toThrow()
    expect(currentSession().user?.id).toBe(7)
    expect(localStorage.getItem('token')).toBe('k2')
  })
  test('that expires reports so, and the saved draft', async () => {
    await login()
    const end = markInProgress({ kind: 'action', discard: async () => {} })
    await expire(contract)
    end()
    expect(currentSession()).toMatchObject({ ended: 'expired', savedDraft: 'action' })
  })
  test('is synchronised with other tabs', async () => {
    const reload = vi.fn()
    stops.push(followTabs(contract, reload))
    const receive = (newValue: string | null) =>
      dispatchEvent(new StorageEvent('storage', { key: 'token', newValue }))
    await login()
    receive('another')
    expect(reload).toHaveBeenCalledOnce()
    localStorage.setItem('ended', 'expired')
    receive(null)
    expect(currentSession()).toMatchObject({ ended: 'expired' })
    expect(currentSession().user).toBeUndefined()
    fakeServer.use({ 'GET /api/staff/me/info': { data: person([1], 8) } })
    localStorage.setItem('token', 'k3')
    receive('k3')
    await vi.waitFor(() => expect(currentSession().user?.id).toBe(8))
    expect(reload).toHaveBeenCalledOnce()
  })
})
