import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { currentSession } from '../../src/app/core/session.ts'
import { PASSWORD_TEXTS } from '../../src/app/signIn/passwordTexts.ts'
import { fakeServer, page } from './fakeServer.ts'
import { person } from './open.tsx'
import { ADVOCATE, openApp, startSignedOut } from './openApp.tsx'

beforeEach(startSignedOut)

const ASK = 'POST /accounts/password/reset/'
const CHECK = 'GET /reset/t1/'
const SET = 'POST /reset-password/t1/'
const CHANGE = 'POST /user/change-own-password/'
const DEAD = { status: 404, data: { code: 'deadLink', message: 'old' } }
const bodyOf = (call: string) => fakeServer.requestsTo(call)[0].body
const toasts = () => document.querySelectorAll('.bp6-toast').length

describe('requesting a link', () => {
  test('needs a user name, and shows the same text for every user name', async () => {
    const { user } = await openApp('/login/reset', undefined, { [ASK]: { status: 204 } })
    await user.click(await screen.findByRole('button', { name: 'Send the link' }))
    expect(screen.getByRole('alert').textContent).toBe(PASSWORD_TEXTS.noUsername)
    await user.type(screen.getByLabelText('User name'), ' ann ')
    await user.click(screen.getByRole('button', { name: 'Send the link' }))
    await screen.findByText(PASSWORD_TEXTS.linkSent)
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Check your email'))
    expect(bodyOf(ASK)).toEqual({ username: 'ann' })
  })
  test('shows on the page that there were too many requests', async () => {
    const { user } = await openApp('/login/reset', undefined, {
      [ASK]: { status: 423, data: { code: 'tooOften', message: 'Too many tries. Try again later.' } },
    })
    await user.type(await screen.findByLabelText('User name'), 'ann{Enter}')
    await screen.findByText('Too many tries. Try again later.')
    expect(toasts()).toBe(0)
  })
  test('redirects users who are signed in', async () => {
    const { address } = await openApp('/login/reset', ADVOCATE)
    await waitFor(() => expect(address()).toBe('/dashboard/my-cases'))
  })
})

describe('setting a password by a link', () => {
  test('redirects to the sign-in page with an invalid link', async () => {
    const { address } = await openApp('/reset-password/t1', undefined, { [CHECK]: DEAD })
    await screen.findByText(PASSWORD_TEXTS.tooLate)
    expect([address(), toasts()]).toEqual(['/login', 0])
  })
  test('keeps spaces, shows the server’s validation errors, and leads to the sign-in page', async () => {
    let isRefused = true
    const { user, address } = await openApp('/reset-password/t1', undefined, {
      [CHECK]: { data: { username: 'ann' } },
      [SET]: () =>
        isRefused ? { status: 400, data: { password: ['Password is too plain'] } } : { status: 204 },
    })
    const box = await screen.findByLabelText('Password')
    await user.type(box, 'short{Enter}')
    await screen.findByText('Password must be 12 characters or more')
    expect(fakeServer.requestsTo(SET)).toHaveLength(0)
    await user.clear(box)
    await user.type(box, ' a space at both ends {Enter}')
    await screen.findByText('Password is too plain')
    isRefused = false
    await user.click(screen.getByRole('button', { name: 'Set password' }))
    await screen.findByText(PASSWORD_TEXTS.newPassword)
    expect(address()).toBe('/login')
    expect(bodyOf(SET)).toEqual({ password: ' a space at both ends ' })
  })
  test('signs out a user who is signed in', async () => {
    const { user, address } = await openApp('/reset-password/t1', ADVOCATE, {
      [CHECK]: { data: { username: 'ann' } },
      [SET]: { status: 204 },
    })
    await user.type(await screen.findByLabelText('Password'), 'three plain words{Enter}')
    await screen.findByText(PASSWORD_TEXTS.newPassword)
    expect([address(), currentSession().user, localStorage.getItem('token')]).toEqual([
      '/login',
      undefined,
      null,
    ])
  })
  test('leads to the sign-in page if the link was used meanwhile', async () => {
    const { user } = await openApp('/reset-password/t1', undefined, {
      [CHECK]: { data: { username: 'ann' } },
      [SET]: DEAD,
    })
    await user.type(await screen.findByLabelText('Password'), 'three plain words{Enter}')
    await screen.findByText(PASSWORD_TEXTS.tooLate)
  })
})

describe('the profile', () => {
  const SESSIONS = page([
    {
      id: 1,
      device: 'Firefox on Linux',
      ip_address: '::1',
      created_at: null,
      seen_at: null,
      is_current: true,
    },
    {
      id: 2,
      device: 'Chrome on Mac',
      ip_address: '::1',
      created_at: null,
      seen_at: null,
      is_current: false,
    },
  ])
  const PROFILE = {
    'GET /api/staff/me/sessions': SESSIONS,
    'DELETE /api/staff/me/sessions/2': { status: 204 },
  }

  test('renders its parts under their own headings, and keeps the page’s title', async () => {
    const { user } = await openApp('/profile', ADVOCATE, PROFILE)
    await screen.findByRole('heading', { level: 2, name: 'Where you are signed in' })
    expect(document.title).toBe('Profile – Advocacy casework')
    await user.click(await screen.findByRole('button', { name: 'End Chrome on Mac' }))
    expect(screen.queryByRole('button', { name: 'End Firefox on Linux' })).toBeNull()
    await waitFor(() => expect(fakeServer.requestsTo('DELETE /api/staff/me/sessions/2')).toHaveLength(1))
  })
  test('switches leave on with the specified values, and updates the session', async () => {
    let status = 1
    const { user } = await openApp('/profile', ADVOCATE, {
      ...PROFILE,
      'GET /api/staff/me/info': () => ({ data: { ...person(ADVOCATE), status } }),
      'PATCH /api/staff/me/switch_status': ({ body }) => {
        status = Number(body.status)
        return { data: { ...person(ADVOCATE), status } }
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Go on leave' }))
    await screen.findByRole('button', { name: 'Come back from leave' })
    expect([bodyOf('PATCH /api/staff/me/switch_status'), currentSession().user?.status]).toEqual([
      { status: 4 },
      4,
    ])
  })
  test('validates a new password beside its input, keeps its spaces, and shows other errors of the server', async () => {
    const { user } = await openApp('/profile', ADVOCATE, {
      ...PROFILE,
      [CHANGE]: {
        status: 423,
        data: { code: 'locked', message: 'Too many wrong passwords. Try again later.' },
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Change password' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(await dialog.findByLabelText('Old password'), ' mine ')
    await user.type(dialog.getByLabelText('New password'), 'short')
    await user.click(dialog.getByRole('button', { name: 'Change password' }))
    expect(await dialog.findAllByText('New password must be 12 characters or more')).not.toEqual([])
    expect(fakeServer.requestsTo(CHANGE)).toHaveLength(0)
    await user.click(dialog.getByRole('button', { name: 'Show new password' }))
    expect(dialog.getByLabelText('New password').getAttribute('type')).toBe('text')
    await user.type(dialog.getByLabelText('New password'), ' and a bit more {Enter}')
    await screen.findByText('Too many wrong passwords. Try again later.')
    expect(bodyOf(CHANGE)).toEqual({ old_password: ' mine ', password: 'short and a bit more ' })
  })
})
