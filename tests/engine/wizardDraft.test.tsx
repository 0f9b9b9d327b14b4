// @vitest-environment jsdom
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import type { Values } from '../../src/contract/when.ts'
import { discard, inProgress } from '../../src/engine/drafts/inProgress.ts'

import {
  at,
  box,
  calls,
  chooseAnn,
  configure,
  fake,
  heading,
  next,
  open,
  pick,
  press,
  serveDrafts,
  toCheck,
} from './wizardContext.tsx'

describe('the draft', () => {
  test('is kept from the first change, one request at a time, and is in the address', async () => {
    const { router } = await open()
    expect(inProgress()).toBe(false)
    let release: (() => void) | undefined
    fake.answer = (one) =>
      one.method === 'POST' && one.path === '/api/drafts' && !release
        ? new Promise((resolve) => {
            release = () => resolve(serveDrafts(one))
          })
        : undefined
    await pick('service', 'Independent Mental Capacity Advocacy (IMCA)')
    expect(inProgress()).toBe(true)
    await waitFor(() => expect(release).toBeTruthy(), { timeout: 3000 })
    await pick('case_type', 'IMCA - Serious medical treatment')
    await next()
    expect(calls('PUT', '/api/drafts')).toHaveLength(0)
    await act(async () => release!())
    await waitFor(() => expect(router.state.location.search).toBe('?draft=1'))
    await waitFor(() => expect(calls('PUT', '/api/drafts').length).toBeGreaterThan(0))
    expect(calls('POST', '/api/drafts')).toHaveLength(1)
    await waitFor(() =>
      expect(fake.drafts.get(1)).toMatchObject({
        kind: 'case',
        payload: { completed: ['service'], document: { service: 1, case_type: 1 } },
      }),
    )
  })

  test('is saved without asking, and gone on with where it was left', async () => {
    const first = await open()
    await configure()
    await next()
    await heading('Client')
    await userEvent.click(screen.getByLabelText('New client'))
    await userEvent.type(box('client.last_name'), 'Bell')
    await press('Save draft')
    await screen.findByText('Another page')
    expect(at(first.router)).toBe('/dashboard/draft-cases')
    expect(fake.drafts.get(1)).toMatchObject({ title: 'Bell', payload: { step: 'client-info' } })
    expect(inProgress()).toBe(false)
    cleanup()

    const { router } = await open('/case?draft=1')
    await heading('Client')
    expect(at(router)).toBe('/case/client-info')
    expect(box('client.last_name').value).toBe('Bell')
    expect(inProgress()).toBe(false)
    await userEvent.click(screen.getByText('Elsewhere'))
    await screen.findByText('Another page')
    expect(fake.drafts.size).toBe(1)
  })

  test('is given up when the person leaves, and only then', async () => {
    await open()
    await configure()
    await waitFor(() => expect(fake.drafts.size).toBe(1), { timeout: 3000 })
    await userEvent.click(screen.getByText('Elsewhere'))
    expect(await screen.findByText('Leave creating page?')).toBeTruthy()
    expect(screen.getByText('If you leave this page all changes will be lost')).toBeTruthy()
    await press('Continue adding case')
    await userEvent.click(screen.getByText('Elsewhere'))
    await userEvent.click(await screen.findByRole('button', { name: 'Leave' }))
    await screen.findByText('Another page')
    expect(fake.drafts.size).toBe(0)
    expect(inProgress()).toBe(false)
  })

  test('stays when the session ends, and goes with a sign-out', async () => {
    const { unmount } = await open()
    await configure()
    await waitFor(() => expect(fake.drafts.size).toBe(1), { timeout: 3000 })
    fake.answer = () => [401, { message: 'Signed out' }]
    unmount()
    expect(fake.drafts.size).toBe(1)
    fake.answer = () => undefined
    await open('/case?draft=1')
    await pick('service', 'Care Act Advocacy (ICAA)')
    expect(inProgress()).toBe(true)
    await act(discard)
    expect(fake.drafts.size).toBe(0)
  })

  test('sends answers that a publication hid, with the version by which they were asked', async () => {
    await open()
    await toCheck()
    await press('Save draft')
    await screen.findByText('Another page')
    const payload = fake.drafts.get(1)!.payload as {
      document: { case: { answers: Values } }
      completed: string[]
    }
    payload.document.case.answers.contacted_us = 3
    payload.completed.push('signposting')
    cleanup()
    fake.versionOfType = 2
    fake.addField = true
    fake.create = () => [201, { id: 70 }]
    await open('/case/check?draft=1')
    await heading('Check your answers')
    await press('Confirm and save')
    await screen.findByText('Another page')
    const [post] = calls('POST', '/case/')
    expect(post.body).toMatchObject({ case_type_version: 1, case: { answers: { contacted_us: 3 } } })
  })

  test('tells what changed in the questions meanwhile, and loses no answer', async () => {
    await open()
    await configure()
    await next()
    await heading('Client')
    await chooseAnn()
    await next()
    await heading('Case details')
    await pick('case.answers.contacted_us', 'Email')
    await press('Save draft')
    await screen.findByText('Another page')
    cleanup()
    fake.versionOfType = 2
    fake.addField = true
    await open('/case?draft=1')
    await heading('Case details')
    expect(await screen.findByText('New: Extra')).toBeTruthy()
    expect(screen.getByText(/No longer asked: How they contacted us/)).toBeTruthy()
    expect(box('case.answers.contacted_us')).toBeNull()
    await userEvent.type(box('case.answers.extra'), 'x')
    await press('Save draft')
    await screen.findByText('Another page')
    expect(fake.drafts.get(1)).toMatchObject({
      payload: { document: { case: { answers: { contacted_us: 3, extra: 'x' } } } },
    })
  })
})

describe('another service', () => {
  async function answered() {
    await open()
    await configure()
    await next()
    await heading('Client')
    await chooseAnn()
    await next()
    await heading('Case details')
    await pick('case.contract', 'IMCA - contract A1')
    await press('Back')
    await heading('Client')
    await press('Back')
    await heading('Service')
  }

  test('asks before it takes later answers away', async () => {
    await answered()
    await pick('service', 'Care Act Advocacy (ICAA)')
    expect(await screen.findByText('Warning! You have unsaved changes')).toBeTruthy()
    await press('Cancel')
    await waitFor(() => expect(box('service').value).toBe('1'))
    expect(box('case_type').value).toBe('1')
    await pick('service', 'Care Act Advocacy (ICAA)')
    await press('Continue')
    await pick('case_type', 'Care Act advocacy')
    await next()
    await heading('Client')
    expect(await screen.findByText('Ames')).toBeTruthy()
    await next()
    await heading('Case details')
    expect(box('case.contract').value).toBe('')
  })
})
