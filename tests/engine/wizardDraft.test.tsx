import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { use } from 'react'
import { useParams } from 'react-router-dom'
import { beforeEach, describe, expect, test } from 'vitest'
import type { WizardScreen } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { isReachable, reportNoReply } from '../../src/engine/core/connection.ts'
import { discard, inProgress } from '../../src/engine/form/drafts/inProgress.ts'
import { useSteps } from '../../src/engine/kinds/wizard/useSteps.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer } from './fakeServer.ts'
import { openElement } from './open.tsx'
import {
  box,
  caseTypeBox,
  chooseAnn,
  chooseCaseType,
  configure,
  createDraft,
  draftHandlers,
  drafts,
  heading,
  next,
  openWizard,
  pick,
  press,
  publish,
  serveWizard,
  toCheck,
} from './wizardContext.tsx'

beforeEach(serveWizard)

describe('the draft', () => {
  test('is autosaved from the first change, one request at a time, and is in the address', async () => {
    const { router } = await openWizard()
    expect(inProgress()).toBe(false)
    let release: (() => void) | undefined
    fakeServer.use({
      'POST /api/drafts': (request) =>
        new Promise((resolve) => {
          release = () => resolve(createDraft(request))
        }),
    })
    await chooseCaseType('Care Act advocacy')
    expect(inProgress()).toBe(true)
    await waitFor(() => expect(release).toBeTruthy())
    await chooseCaseType('IMCA - Serious medical treatment')
    await next()
    expect(fakeServer.requestsTo('PUT /api/drafts/{id}')).toHaveLength(0)
    await act(async () => release!())
    await waitFor(() => expect(router.state.location.search).toBe('?draft=1'))
    await waitFor(() => expect(fakeServer.requestsTo('PUT /api/drafts/{id}').length).toBeGreaterThan(0))
    expect(fakeServer.requestsTo('POST /api/drafts')).toHaveLength(1)
    await waitFor(() =>
      expect(drafts.get(1)).toMatchObject({
        kind: 'case',
        payload: { completed: ['service'], document: { service: 1, case_type: 1 } },
      }),
    )
  })

  test('gets its id in the address of the next step while that is still rendered', async () => {
    const never = new Promise<never>(() => undefined)
    function Step() {
      const { step } = useParams()
      const { go, name } = useSteps(contract.screens['new-case'] as WizardScreen)
      if (step) use(never)
      return (
        <>
          <button type="button" onClick={() => go('client-info', undefined)}>
            Next
          </button>
          <button type="button" onClick={() => name(5)}>
            Draft is stored
          </button>
        </>
      )
    }
    const { router } = openElement(<Step />, { path: '/case/:step?', at: '/case' })
    const click = (name: string) => act(async () => screen.getByRole('button', { name }).click())
    await click('Next')
    expect(router.state.location.pathname).toBe('/case/client-info')
    await click('Draft is stored')
    expect(router.state.location).toMatchObject({ pathname: '/case/client-info', search: '?draft=5' })
  })

  test('is saved without a confirmation, and restored at the step where it was left', async () => {
    const first = await openWizard()
    await configure()
    await next()
    await heading('Client')
    await userEvent.click(screen.getByLabelText('New client'))
    await userEvent.type(box('client.last_name'), 'Bell')
    await press('Save draft')
    await screen.findByText('Another page')
    expect(first.address()).toBe('/dashboard/draft-cases')
    expect(drafts.get(1)).toMatchObject({
      title: 'Bell · Independent Mental Capacity Advocacy (IMCA) · step 2 of 6',
      payload: { step: 'client-info' },
    })
    expect(inProgress()).toBe(false)
    cleanup()

    const { address } = await openWizard('/case?draft=1')
    await heading('Client')
    expect(address()).toBe('/case/client-info?draft=1')
    expect(box('client.last_name').value).toBe('Bell')
    expect(inProgress()).toBe(false)
    await userEvent.click(screen.getByText('Elsewhere'))
    await screen.findByText('Another page')
    expect(drafts.size).toBe(1)
  })

  test('is deleted when the user confirms leaving', async () => {
    await openWizard()
    await configure()
    await waitFor(() => expect(drafts.size).toBe(1))
    await userEvent.click(screen.getByText('Elsewhere'))
    expect(await screen.findByText('Leave creating page?')).toBeTruthy()
    expect(screen.getByText('If you leave this page all changes will be lost')).toBeTruthy()
    await press('Continue adding case')
    await userEvent.click(screen.getByText('Elsewhere'))
    await userEvent.click(await screen.findByRole('button', { name: 'Leave' }))
    await screen.findByText('Another page')
    expect(drafts.size).toBe(0)
    expect(inProgress()).toBe(false)
  })

  test('is kept with the last change by the question’s own button', async () => {
    await openWizard()
    await configure()
    await userEvent.click(screen.getByText('Elsewhere'))
    await userEvent.click(await screen.findByRole('button', { name: 'Save draft and leave' }))
    await screen.findByText('Another page')
    expect(drafts.get(1)).toMatchObject({ payload: { document: { service: 1, case_type: 1 } } })
    expect(inProgress()).toBe(false)
  })

  test('stays where it is while a draft cannot be saved', async () => {
    const { address } = await openWizard()
    await configure()
    fakeServer.use({ 'POST /api/drafts': { status: 500 }, 'PUT /api/drafts/{id}': { status: 500 } })
    await userEvent.click(screen.getByText('Elsewhere'))
    await userEvent.click(await screen.findByRole('button', { name: 'Save draft and leave' }))
    await screen.findByText('Not saved yet')
    expect(address()).toMatch(/^\/case/)
    expect(screen.getByRole('button', { name: 'Continue adding case' })).toBeTruthy()
    fakeServer.use(draftHandlers)
    await userEvent.click(screen.getByRole('button', { name: 'Leave' }))
    await screen.findByText('Another page')
  })

  test.each([
    [429, 2],
    [500, 2],
    [400, 1],
  ])('that a %i refused is sent %i times once the connection is back', async (status, times) => {
    await openWizard()
    fakeServer.use({ 'POST /api/drafts': { status } })
    await configure()
    await screen.findByText('Not saved yet')
    const sent = () => fakeServer.requestsTo('POST /api/drafts').length
    expect(sent()).toBe(1)
    act(reportNoReply)
    expect(sent()).toBe(1)
    act(fakeServer.comeBack)
    await waitFor(() => expect(isReachable()).toBe(true))
    await waitFor(() => expect(sent()).toBe(times))
  })

  test('says when it was saved, and is named by what is known', async () => {
    await openWizard()
    await chooseCaseType('IMCA - Serious medical treatment')
    await screen.findByText(/^Saved \d\d:\d\d$/)
    expect(drafts.get(1)?.title).toBe(
      'No name yet · Independent Mental Capacity Advocacy (IMCA) · step 1 of 6',
    )
  })

  test('comes back by Undo after it was given up, also where the server was away at first', async () => {
    const { address, notices } = await openWizard()
    await configure()
    await waitFor(() => expect(drafts.size).toBe(1))
    await userEvent.click(screen.getByText('Elsewhere'))
    await userEvent.click(await screen.findByRole('button', { name: 'Leave' }))
    await screen.findByText('Another page')
    expect(drafts.size).toBe(0)
    fakeServer.use({ 'POST /api/drafts': { status: 503 } })
    act(() => notices.at(-1)!.action!.run())
    await waitFor(() => expect(notices.filter(({ action }) => action)).toHaveLength(2))
    fakeServer.use(draftHandlers)
    act(() => notices.at(-1)!.action!.run())
    await heading('Person and case type')
    expect(address()).toBe('/case?draft=1')
    expect(drafts.get(1)?.payload).toMatchObject({ document: { service: 1, case_type: 1 } })
    expect((await caseTypeBox()).value).toBe('IMCA - Serious medical treatment')
  })

  test('stays when the session ends, and is deleted by a sign-out', async () => {
    const { unmount } = await openWizard()
    await configure()
    await waitFor(() => expect(drafts.size).toBe(1))
    fakeServer.use({
      'PUT /api/drafts/{id}': { status: 401 },
      'DELETE /api/drafts/{id}': { status: 401 },
    })
    unmount()
    expect(drafts.size).toBe(1)
    fakeServer.use(draftHandlers)
    await openWizard('/case?draft=1')
    await chooseCaseType('Care Act advocacy')
    expect(inProgress()).toBe(true)
    await act(discard)
    expect(drafts.size).toBe(0)
  })

  test('sends answers that a publication hid, with the version that they were given by', async () => {
    await openWizard()
    await toCheck()
    await press('Save draft')
    await screen.findByText('Another page')
    const payload = drafts.get(1)!.payload as {
      document: { case: { answers: Values } }
      completed: string[]
    }
    payload.document.case.answers.contacted_us = 3
    payload.completed.push('signposting')
    cleanup()
    publish()
    await openWizard('/case/check?draft=1')
    await heading('Check your answers')
    await press('Confirm and save')
    await screen.findByText('Another page')
    const [post] = fakeServer.requestsTo('POST /case/')
    expect(post.body).toMatchObject({ case_type_version: 1, case: { answers: { contacted_us: 3 } } })
  })

  test('shows what a publication changed, and loses no answer', async () => {
    await openWizard()
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
    publish('referrer')
    await openWizard('/case?draft=1')
    await heading('Case details')
    const note = await screen.findByText(/No longer asked: How they contacted us\. New: Extra\./)
    expect(note.textContent).toContain('Must be answered now: Referrer.')
    // The bar stays in view, wherever on the page the person types.
    expect(note.closest('.form-bar')).toBe(screen.getByRole('button', { name: 'Next' }).closest('.form-bar'))
    expect(box('case.answers.contacted_us')).toBeNull()
    await userEvent.type(box('case.answers.extra'), 'x')
    await press('Save draft')
    await screen.findByText('Another page')
    expect(drafts.get(1)).toMatchObject({
      payload: { document: { case: { answers: { contacted_us: 3, extra: 'x' } } } },
    })
  })
})

describe('a change of the service', () => {
  async function answered() {
    await openWizard()
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
    await heading('Person and case type')
  }

  test('asks before it clears later answers', async () => {
    await answered()
    await chooseCaseType('Care Act advocacy')
    expect(await screen.findByText('Warning! You have unsaved changes')).toBeTruthy()
    await press('Cancel')
    await waitFor(() => expect(box('case_type').value).toBe('IMCA - Serious medical treatment'))
    expect(screen.getByText('Service: Independent Mental Capacity Advocacy (IMCA)')).toBeTruthy()
    await chooseCaseType('Care Act advocacy')
    await press('Continue')
    await next()
    await heading('Client')
    expect(await screen.findByText('Ames')).toBeTruthy()
    await next()
    await heading('Case details')
    expect(box('case.contract').value).toBe('')
  })

  test('needs a confirmation only if the case type is of another one, and not while its name is typed', async () => {
    await answered()
    const field = await caseTypeBox()
    await userEvent.clear(field)
    await userEvent.type(field, 'imca act')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await userEvent.type(field, '{Escape}')
    expect(field.value).toBe('IMCA - Serious medical treatment')
    await next()
    await heading('Client')
    await next()
    await heading('Case details')
    expect(box('case.contract').value).not.toBe('')
  })
})
