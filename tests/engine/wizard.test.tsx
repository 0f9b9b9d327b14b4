import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { today } from '../../src/engine/core/today.ts'
import { inProgress } from '../../src/engine/form/drafts/inProgress.ts'
import { differences } from '../../src/engine/kinds/wizard/differences.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer } from './fakeServer.ts'
import {
  ALIKE,
  box,
  configure,
  drafts,
  heading,
  next,
  openWizard,
  pick,
  press,
  serveWizard,
  toCheck,
} from './wizardContext.tsx'

beforeEach(serveWizard)

describe('the wizard', () => {
  test('begun from a client is about that client', async () => {
    await openWizard('/case?client=9')
    await configure()
    await next()
    await heading('Client')
    expect(await screen.findByText('Ames')).toBeTruthy()
    expect((screen.getByLabelText('Existing client') as HTMLInputElement).checked).toBe(true)
  })

  test('leads from the service to the case, with one call at the end', async () => {
    const { address, notices } = await openWizard()
    expect(screen.getByRole('heading', { level: 1, name: 'Person and case type' })).toBeTruthy()
    expect(screen.getAllByRole('listitem')).toHaveLength(1)
    await next()
    expect(
      within(screen.getByRole('alert'))
        .getAllByRole('link')
        .map((l) => l.textContent),
    ).toEqual(['Choose case type'])
    await toCheck()
    expect(screen.getAllByRole('listitem').filter((li) => li.classList.contains('step-done'))).toHaveLength(5)
    expect(document.querySelector('[aria-current=step]')!.textContent).toBe('Signposting, not completed')
    await press('Add Signposting')
    await pick('signposting.0.sp_org', 'Age UK')
    await next()
    await heading('Check your answers')
    expect(address()).toMatch(/^\/case\/check/)
    expect(screen.getByText('Ames')).toBeTruthy()
    expect(await screen.findByText('IMCA - contract A1')).toBeTruthy()

    await userEvent.click(screen.getByRole('link', { name: 'Change monitoring' }))
    await heading('Monitoring')
    fireEvent.click(within(box('monitoring.carer')).getByLabelText('Yes'))
    await next()
    await heading('Check your answers')

    const confirm = screen.getByRole('button', { name: 'Confirm and save' })
    fireEvent.click(confirm)
    fireEvent.click(confirm)
    await screen.findByText('Another page')
    expect(address()).toBe('/cases/70/details')
    expect(notices.at(-1)).toEqual({
      kind: 'success',
      text: 'Saved: case 70. Its issue waits to be allocated.',
    })
    const [post, ...more] = fakeServer.requestsTo('POST /case/')
    expect(more).toEqual([])
    expect(post.headers['Idempotency-Key']).toMatch(/^\w{32}$/)
    expect(post.body).toMatchObject({
      service: 1,
      case_type: 1,
      case_type_version: 1,
      client: 9,
      case: { contract: 1, answers: { date_received: today(), instruction: 'instructed' } },
      issue: { start_date: today() },
      monitoring: { carer: 'yes' },
      signposting: [{ sp_org: expect.any(Number), date: today() }],
    })
    expect(post.headers['X-Draft']).toBe('1')
    expect((post.body.signposting as object[])[0]).not.toHaveProperty('row')
    expect(inProgress()).toBe(false)
  })

  test('leaves no page behind that Back leads to, and says what became of a draft that was saved', async () => {
    const { address, router } = await openWizard()
    await toCheck()
    await next()
    await heading('Check your answers')
    await press('Confirm and save')
    await screen.findByText('Another page')
    drafts.clear()
    await act(() => router.navigate(-1))
    expect(address()).toBe('/case/signposting?draft=1')
    await heading('This draft no longer exists')
    expect(screen.getByRole('link', { name: 'Go to My Cases' }).getAttribute('href')).toBe(
      '/dashboard/my-cases',
    )
  })

  test('offers the signed-in person as the advocate, and says what waits if nobody is chosen', async () => {
    const self = { value: 7, label: 'Ann Smith' }
    fakeServer.use({ [`GET ${contract.lookups.staff.path}`]: { data: [self] } })
    const { notices } = await openWizard()
    await toCheck()
    await next()
    await heading('Check your answers')
    expect(await screen.findByText('Ann Smith')).toBeTruthy()
    const change = async () => {
      await userEvent.click(screen.getByRole('link', { name: 'Change issue details' }))
      await heading('Issue details')
    }
    await change()
    await userEvent.selectOptions(box('issue.advocate'), '')
    await next()
    await heading('Check your answers')
    await change()
    expect(box('issue.advocate').value, 'left empty, it stays so').toBe('')
    await pick('issue.advocate', 'Ann Smith')
    await next()
    await heading('Check your answers')
    await press('Confirm and save')
    await screen.findByText('Another page')
    expect(fakeServer.requestsTo('POST /case/')[0].body).toMatchObject({ issue: { advocate: 7 } })
    expect(notices.at(-1)?.text).toBe('Saved: case 70')
  })

  test('covers the page while all of it is sent, and shows an error that comes back at once', async () => {
    await openWizard()
    await toCheck()
    await next()
    await heading('Check your answers')
    let end = () => {}
    const sent = new Promise<void>((resolve) => {
      end = resolve
    })
    const errors = { 'case.contract': ['Contract has ended'] }
    fakeServer.use({ 'POST /case/': () => sent.then(() => ({ status: 400, data: errors })) })
    await press('Confirm and save')
    const cover = await screen.findByRole('dialog', { name: 'Saving: New Case…' })
    await waitFor(() => expect(document.activeElement).toBe(cover))
    end()
    await heading('Case details')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const summary = await screen.findByRole('alert')
    await waitFor(() => expect(summary.contains(document.activeElement)).toBe(true))
  })

  test('redirects from a step that cannot be reached to the first', async () => {
    const { address } = await openWizard('/case/case-details')
    await heading('Person and case type')
    expect(address()).toBe('/case')
  })

  test('shows validation errors of the server at the first step they are about', async () => {
    await openWizard()
    await toCheck()
    await next()
    await heading('Check your answers')
    const errors = { 'issue.answers.x': ['No'], 'case.contract': ['Contract has ended'] }
    fakeServer.use({ 'POST /case/': { status: 400, data: errors } })
    await press('Confirm and save')
    await heading('Case details')
    const link = within(screen.getByRole('alert')).getByRole('link', { name: 'Contract has ended' })
    await userEvent.click(link)
    await waitFor(() => expect(document.activeElement).toBe(box('case.contract')))
    fakeServer.use({ 'POST /case/': { status: 201, data: { id: 70 } } })
    await next()
    await heading('Check your answers')
    await press('Confirm and save')
    await screen.findByText('Another page')
    const keys = fakeServer.requestsTo('POST /case/').map((c) => c.headers['Idempotency-Key'])
    expect(new Set(keys).size).toBe(1)
  })

  test('goes back without validation and keeps typed values', async () => {
    await openWizard()
    await configure()
    await next()
    await heading('Client')
    await userEvent.click(screen.getByLabelText('New client'))
    await userEvent.type(box('client.last_name'), 'Bell')
    await press('Back')
    await heading('Person and case type')
    await next()
    await heading('Client')
    expect(box('client.last_name').value).toBe('Bell')
    await next()
    expect(within(screen.getByRole('alert')).getByRole('link', { name: 'Enter first name' })).toBeTruthy()
  })
})

describe('the client', () => {
  test('is chosen with the keyboard, shown, and can be changed', async () => {
    await openWizard()
    await configure()
    await next()
    await heading('Client')
    await next()
    expect(
      within(screen.getByRole('alert')).getByText('Enter a new client or choose an existing one'),
    ).toBeTruthy()
    await userEvent.click(screen.getByLabelText('Existing client'))
    const search = screen.getByRole('combobox')
    await userEvent.type(search, 'ann')
    await screen.findByText('2 clients found')
    expect(fakeServer.requestsTo('POST /api/clients/find')).toHaveLength(1)
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    expect(search.getAttribute('aria-activedescendant')).toBe(screen.getAllByRole('option')[1].id)
    await userEvent.keyboard('{ArrowUp}{Enter}')
    expect(await screen.findByText('1 February 1950')).toBeTruthy()
    expect(screen.getByText(/^Has 1 open case:/)).toBeTruthy()
    expect(screen.getByRole('link', { name: /^238 Care Act advocacy/ }).getAttribute('href')).toBe(
      '/cases/238/details',
    )
    expect(screen.queryByRole('combobox')).toBeNull()
    await press('Change the client')
    expect(screen.getByRole('combobox')).toBeTruthy()
  })

  test('warns of a likely duplicate, which can be used instead', async () => {
    await openWizard()
    await configure()
    await next()
    await heading('Client')
    await userEvent.click(screen.getByLabelText('New client'))
    await userEvent.type(box('client.first_name'), 'Ann')
    await userEvent.type(box('client.last_name'), 'Ames')
    expect(fakeServer.requestsTo('POST /api/clients/alike')).toHaveLength(0)
    await userEvent.tab()
    const warning = await screen.findByText('This client may be known already')
    expect(warning.closest('.form-bar'), 'it covers no field').toBeNull()
    const likely = warning.parentElement!
    expect(within(likely).getByText('Open safeguarding concern')).toBeTruthy()
    expect(within(likely).getByText('Same name; born in 1950')).toBeTruthy()
    expect(within(likely).getByRole('button', { name: /^Use this client: Ann Ames/ })).toBeTruthy()
    await userEvent.keyboard('{F2}')
    expect(await screen.findByText('1 February 1950')).toBeTruthy()
    await next()
    await heading('Case details')
  })

  test('asks why a client is new while one is certainly the same, and sends the reason', async () => {
    await openWizard()
    fakeServer.use({ 'POST /api/clients/alike': { data: [{ ...ALIKE, certainty: 'certain' }] } })
    await configure()
    await next()
    await heading('Client')
    await userEvent.click(screen.getByLabelText('New client'))
    await userEvent.type(box('client.first_name'), 'Ann')
    await userEvent.type(box('client.last_name'), 'Ames')
    await userEvent.tab()
    await screen.findByText('This client is known already')
    await next()
    const why = await screen.findByRole('textbox', { name: 'Why is this another client?' })
    expect(screen.getByText(/Say why, or use the one that is there/)).toBeTruthy()
    expect(document.activeElement).toBe(why)
    await userEvent.type(why, 'Her cousin')
    await next()
    await heading('Case details')
    await waitFor(() => expect([...drafts.values()].at(-1)).toBeTruthy())
    const { payload } = [...drafts.values()].at(-1) as { payload: { document: object } }
    expect(payload.document).toMatchObject({ new_because: 'Her cousin' })
  })

  test('asks why a client is new also if the reply comes after Next', async () => {
    await openWizard()
    let reply = () => {}
    const waiting = new Promise<void>((resolve) => {
      reply = resolve
    })
    fakeServer.use({
      'POST /api/clients/alike': async ({ body }) => {
        await waiting
        return { data: [{ ...ALIKE, certainty: body.phone ? 'certain' : 'likely' }] }
      },
    })
    await configure()
    await next()
    await heading('Client')
    await userEvent.click(screen.getByLabelText('New client'))
    await userEvent.type(box('client.first_name'), 'Ann')
    await userEvent.type(box('client.last_name'), 'Ames')
    await userEvent.type(box('client.phone'), '020 7946 0000')
    await next()
    reply()
    const why = await screen.findByRole('textbox', { name: 'Why is this another client?' })
    await waitFor(() => expect(document.activeElement).toBe(why))
    expect(screen.getByRole('heading', { level: 1, name: 'Client' })).toBeTruthy()
  })

  test('goes on if it cannot be found out whether a client is known', async () => {
    await openWizard()
    fakeServer.use({ 'POST /api/clients/alike': { status: 500 } })
    await configure()
    await next()
    await heading('Client')
    await userEvent.click(screen.getByLabelText('New client'))
    await userEvent.type(box('client.first_name'), 'Ann')
    await userEvent.type(box('client.last_name'), 'Ames')
    await next()
    await heading('Case details')
  })

  test('takes no duplicate of earlier values by its key', async () => {
    await openWizard()
    let reply = () => {}
    const waiting = new Promise<void>((resolve) => {
      reply = resolve
    })
    fakeServer.use({
      'POST /api/clients/alike': async ({ body }) => {
        if (!body.phone) return { data: [ALIKE] }
        await waiting
        return { data: [] }
      },
    })
    await configure()
    await next()
    await heading('Client')
    await userEvent.click(screen.getByLabelText('New client'))
    await userEvent.type(box('client.first_name'), 'Ann')
    await userEvent.type(box('client.last_name'), 'Ames')
    await userEvent.tab()
    await screen.findByText('This client may be known already')
    await userEvent.type(box('client.phone'), '020 7946 0000')
    await userEvent.tab()
    await waitFor(() =>
      expect(fakeServer.requestsTo('POST /api/clients/alike').at(-1)!.body.phone).toBeTruthy(),
    )
    await userEvent.keyboard('{F2}')
    reply()
    await waitFor(() => expect(screen.queryByText('This client may be known already')).toBeNull())
    expect(box('client.first_name').value).toBe('Ann')
  })

  test('of the first step is found in one box, by one key, and fills the second step', async () => {
    await openWizard()
    const search = await screen.findByRole('combobox', { name: 'Who is it about?' })
    await userEvent.type(search, 'ann ames 1950')
    await screen.findByText('2 clients found')
    expect(document.querySelector('.read-as')!.textContent).toMatch(/^Read as ann amesborn in 1950/)
    expect(screen.getAllByRole('option').at(-1)!.textContent).toContain('New client')
    await userEvent.keyboard('{Enter}')
    const chosen = await screen.findByRole('region', { name: 'Chosen client' })
    expect(within(chosen).getByText('Ann Ames')).toBeTruthy()
    expect(within(chosen).getByText('Open safeguarding concern')).toBeTruthy()
    await configure()
    await next()
    await heading('Client')
    expect(await screen.findByRole('button', { name: 'Change the client' })).toBeTruthy()
  })

  test('who is found is proved beside the list, with what differs underlined', async () => {
    await openWizard()
    const found = {
      ...ALIKE,
      dob: '1950-02-10',
      last_contact: '2026-01-02',
      open_cases: [{ id: 238, case_type_label: 'Care Act advocacy' }],
    }
    fakeServer.use({ 'POST /api/clients/find': { data: [found] } })
    const search = await screen.findByRole('combobox', { name: 'Who is it about?' })
    await userEvent.type(search, 'anm ames 1/2/1950')
    const option = await screen.findByRole('option', { name: /Ann Ames/ })
    const underlined = [...option.querySelectorAll('.differs')].map(({ textContent }) => textContent)
    expect(underlined).toEqual(['n', '0'])
    const proof = within(screen.getByRole('region', { name: 'Client 9' }))
    expect(proof.getByText('Last contact')).toBeTruthy()
    expect(proof.getByRole('link', { name: /^238 Care Act advocacy/ }).getAttribute('href')).toBe(
      '/cases/238/details',
    )
    expect(proof.getByRole('link', { name: 'New issue on case 238' }).getAttribute('href')).toBe(
      '/cases/238/issues/new',
    )
    expect(proof.getByRole('link', { name: /^Open the record/ }).getAttribute('href')).toBe('/clients/9/info')
    await userEvent.click(proof.getByRole('button', { name: 'Use Ann Ames' }))
    const chosen = await screen.findByRole('region', { name: 'Chosen client' })
    expect(within(chosen).getByText('Ann Ames')).toBeTruthy()
  })

  test.each([
    ['Deirdre Dubois', 'deirdre dubios', 'Deirdre Dub[oi]s'],
    ['Dee Dubose', 'deirdre dubios', '[Dee] Dub[ose]'],
    ['Deirdre Dubois', 'dubois', 'Deirdre Dubois'],
    ['Deirdre Dubois', 'dub dei', 'Deirdre Dubois'],
    ['Ann-Marie Ó Briain', 'ann brian', 'Ann-Marie Ó Bria[i]n'],
    ['Dubois', 'duubois', 'D[u]bois'],
    ['Łukasz Żak', 'lukasz zak', 'Łukasz Żak'],
  ])('of %s underlines what differs from %s', (name, typed, expected) => {
    const pieces = differences(name, typed.split(' '))
    expect(pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('')).toBe(expected)
  })

  test('those found stand in groups by how likely they are, and a key opens the record of one', async () => {
    await openWizard()
    const other = { ...ALIKE, id: 10, first_name: 'Anne', certainty: 'less likely' }
    const hidden = { id: 11, certainty: 'elsewhere', reasons: [], visible: false, alerts: [] }
    fakeServer.use({ 'POST /api/clients/find': { data: [ALIKE, other, hidden] } })
    const search = await screen.findByRole('combobox', { name: 'Who is it about?' })
    await userEvent.type(search, 'ann ames')
    const under = (name: string) =>
      within(screen.getByRole('group', { name })).getByRole('option').textContent
    await screen.findByText('3 clients found')
    expect(under('Likely the same person, 1')).toContain('Ann Ames')
    expect(under('Less likely, 1')).toContain('Anne Ames')
    expect(under('Known elsewhere, not yours to open')).toContain('Client 11')
    const opened: (string | null)[] = []
    const note = (event: MouseEvent) => {
      opened.push((event.target as HTMLElement).getAttribute('href'))
      event.preventDefault()
    }
    document.addEventListener('click', note)
    await userEvent.keyboard('{ArrowDown}{Shift>}{Enter}{/Shift}')
    await userEvent.keyboard('{ArrowDown}{Shift>}{Enter}{/Shift}')
    document.removeEventListener('click', note)
    expect(opened, 'one that is not theirs to open does not').toEqual(['/clients/10/info'])
    expect(document.activeElement).toBe(search)
  })

  test('who is nobody there is entered with what was searched for', async () => {
    await openWizard()
    fakeServer.use({ 'POST /api/clients/find': { data: [] } })
    await userEvent.type(
      await screen.findByRole('combobox', { name: 'Who is it about?' }),
      'jo new 25 July 1949',
    )
    await screen.findByText('No client found: check the spelling, or enter a new client')
    expect(screen.queryByText(/open the record/)).toBeNull()
    expect(screen.getByRole('option', { name: 'Advanced search' })).toBeTruthy()
    await userEvent.click(screen.getByRole('option', { name: /^New client/ }))
    await configure()
    await next()
    await heading('Client')
    expect([box('client.first_name').value, box('client.last_name').value, box('client.dob').value]).toEqual([
      'Jo',
      'New',
      '1949-07-25',
    ])
  })

  test('says that likely duplicates could not be looked for, and looks again', async () => {
    await openWizard()
    fakeServer.use({ 'POST /api/clients/alike': { status: 500 } })
    await configure()
    await next()
    await heading('Client')
    await userEvent.click(screen.getByLabelText('New client'))
    await userEvent.type(box('client.first_name'), 'Ann')
    await userEvent.type(box('client.last_name'), 'Ames')
    await userEvent.tab()
    await screen.findByText('It could not be checked whether this client is known already.')
    fakeServer.use({ 'POST /api/clients/alike': { data: [] } })
    await press('Retry')
    await waitFor(() => expect(screen.queryByText(/could not be checked/)).toBeNull())
  })
})
