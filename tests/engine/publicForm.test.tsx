import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { custom } from '../../src/app/custom.ts'
import type { Field, Group } from '../../src/contract/generated.ts'
import { type FakeRequest, fakeServer } from './fakeServer.ts'
import { openApp, startSignedOut } from './openApp.tsx'

const SEND = 'POST /api/public/referrals'
const READ = 'GET /api/public/referral_forms/{service}'
const STATUS = 'POST /api/public/referral_status'
const ANSWER = 'POST /api/public/referral_answers'
const SENT = { reference: 'K7M2-XQ9D', secret: 'a-secret', mailed: false }

const field = (name: string, label: string, attrs: Field['attrs'] = {}, type: Field['type'] = 'text') => ({
  name,
  label,
  type,
  attrs,
})
const GROUPS: Group[] = [
  {
    name: 'urgency',
    label: 'How urgent it is',
    fields: [
      field('is_urgent', 'Urgent', { required: true }, 'yesno'),
      field('urgent_reason', 'Why urgent', { required: true, when: { is_urgent: 'yes' } }),
    ],
  },
  {
    name: 'more',
    label: 'More about that',
    attrs: { when: { is_urgent: 'yes' } },
    fields: [field('deadline', 'Until when')],
  },
]
const ELSEWHERE: Group[] = [{ name: 'county', label: 'Your county', fields: [field('town', 'Town')] }]
const FORM = {
  service: 4,
  title: 'Complaints advocacy',
  intro: 'We are not the NHS.',
  choices: { council_area: [{ value: 2, label: 'Essex' }], comm_needs: [] },
  forms: [
    { council_areas: [], version: 1, groups: GROUPS },
    { council_areas: [2], version: 3, groups: ELSEWHERE },
  ],
}

let restore: () => void
beforeEach(async () => {
  restore = startSignedOut()
  for (const name of ['publicForm', 'referralStatus'] as const)
    await (custom[name] as unknown as { preload: () => Promise<void> }).preload()
})
afterEach(() => restore())

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const position = () => document.querySelector('.public-position')!.textContent
const next = () => fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
const fill = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

const openForm = (handlers = {}) =>
  openApp('/refer/4', undefined, { [READ]: { data: FORM }, [SEND]: { status: 201, data: SENT }, ...handlers })

/** Fills the first pages in as somebody who asks for themselves. */
async function fillOwn(): Promise<void> {
  await heading('Before you start')
  fireEvent.click(screen.getByLabelText('I do'))
  next()
  await heading('Getting in touch')
  fireEvent.click(screen.getByLabelText('By telephone'))
  fill('Your telephone number', '020 7946 0000')
  next()
  await heading('The person who needs help')
  fill('First name', 'Łukasz')
  fill('Last name', 'Żak')
  next()
  await heading('In your words')
  fill(/What help is needed/, 'My notes were lost')
  next()
}

describe('the public form', () => {
  it('asks one group a page, and passes over those that nothing asks for', async () => {
    await openForm()
    await heading('Before you start')
    expect([position(), document.title]).toEqual([
      'Step 1 of 6',
      expect.stringContaining('Step 1 of 6: Before you start'),
    ])
    expect(screen.getByText('We are not the NHS.')).toBeTruthy()
    await fillOwn()
    await heading('How urgent it is')
    expect(position()).toBe('Step 5 of 6')
    expect(screen.queryByLabelText('Why urgent')).toBeNull()
    fireEvent.click(screen.getByLabelText('Yes'))
    fill('Why urgent', 'A meeting on Monday')
    await waitFor(() => expect(position()).toBe('Step 5 of 7'))
    next()
    await heading('More about that')
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  })

  it('shows what is wrong in a summary that takes the focus, and stays', async () => {
    await openForm()
    await heading('Before you start')
    next()
    const summary = await screen.findByRole('alert')
    await waitFor(() => expect(document.activeElement).toBe(summary))
    fireEvent.click(within(summary).getByRole('link', { name: 'Say who needs our help' }))
    expect(document.activeElement).toBe(screen.getByLabelText('I do'))
    expect(document.title).toMatch(/^Error: /)
  })

  it('asks for one of few choices by radio buttons, and for one of many in a list', async () => {
    const areas = Array.from({ length: 6 }, (_, i) => ({ value: i + 1, label: `Area ${i + 1}` }))
    const choices = { ...FORM.choices, council_area: areas }
    await openForm({ [READ]: { data: { ...FORM, choices } } })
    await heading('Before you start')
    expect(screen.getByRole('radiogroup', { name: 'Who needs our help' })).toBeTruthy()
    await fillOwn()
    await heading('How urgent it is')
    fireEvent.click(screen.getByRole('link', { name: 'Back' }))
    await heading('In your words')
    fireEvent.click(screen.getByRole('link', { name: 'Back' }))
    await heading('The person who needs help')
    expect(screen.getByRole('combobox', { name: /^Council area/ })).toBeTruthy()
  })

  it('keeps the answers on the way back, and leaves out those that are not asked any more', async () => {
    await openForm()
    await fillOwn()
    await heading('How urgent it is')
    fireEvent.click(screen.getByLabelText('Yes'))
    fill('Why urgent', 'A meeting')
    fireEvent.click(screen.getByRole('link', { name: 'Back' }))
    await heading('In your words')
    expect((screen.getByLabelText(/What help is needed/) as HTMLTextAreaElement).value).toBe(
      'My notes were lost',
    )
    next()
    await heading('How urgent it is')
    expect((screen.getByLabelText('Why urgent') as HTMLInputElement).value).toBe('A meeting')
    fireEvent.click(screen.getByLabelText('No'))
    next()
    await heading('Check your answers')
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    await heading('Thank you, your form has been sent')
    const [{ body }] = fakeServer.requestsTo(SEND)
    expect(body).toEqual({
      service: 4,
      about: 'self',
      contact_by: ['phone'],
      contact_phone: '020 7946 0000',
      first_name: 'Łukasz',
      last_name: 'Żak',
      reason: 'My notes were lost',
      answers: { is_urgent: 'no' },
    })
    expect(screen.getByText('K7M2-XQ9D')).toBeTruthy()
    expect(screen.getByRole('link').getAttribute('href')).toBe('/referral-status#a-secret')
  })

  it('leads back to the check from a page that is changed there, and sends once at a double click', async () => {
    await openForm()
    await fillOwn()
    await heading('How urgent it is')
    fireEvent.click(screen.getByLabelText('No'))
    next()
    await heading('Check your answers')
    fireEvent.click(screen.getByRole('link', { name: 'Change the person who needs help' }))
    await heading('The person who needs help')
    fill('Last name', 'Żółć')
    next()
    await heading('Check your answers')
    expect(screen.getByText('Żółć')).toBeTruthy()
    const send = screen.getByRole('button', { name: 'Send' })
    fireEvent.click(send)
    fireEvent.click(send)
    await heading('Thank you, your form has been sent')
    const requests = fakeServer.requestsTo(SEND)
    expect([requests.length, requests[0].headers['Idempotency-Key']]).toEqual([
      1,
      expect.stringMatching(/^\w{32}$/),
    ])
  })

  it('asks what the case type of the council area asks', async () => {
    await openForm()
    await fillOwn()
    await heading('How urgent it is')
    for (const page of ['In your words', 'The person who needs help']) {
      fireEvent.click(screen.getByRole('link', { name: 'Back' }))
      await heading(page)
    }
    fill(/Council area/, '2')
    next()
    await heading('In your words')
    next()
    await heading('Your county')
  })

  it('shows what the server refuses at its field, and everything else above the button', async () => {
    const refusal = { status: 400, data: { 'answers.is_urgent': ['Not now'] } }
    await openForm({ [SEND]: refusal })
    await fillOwn()
    await heading('How urgent it is')
    fireEvent.click(screen.getByLabelText('No'))
    next()
    await heading('Check your answers')
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    await heading('How urgent it is')
    expect((await screen.findAllByText('Not now')).length).toBeGreaterThan(0)
    fakeServer.use({ [SEND]: { status: 429, data: { message: 'Too many today.' } } })
    next()
    await heading('Check your answers')
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    expect((await screen.findByText(/Too many today/)).textContent).toBe(
      'Too many today. Nothing was sent. Your answers are still here.',
    )
  })

  describe('whose questions change while it is filled in', () => {
    const TOWN = field(
      'town',
      'Town',
      { required: true, options: [{ value: 'old', label: 'Oldham' }] },
      'select',
    )
    const NEW_TOWN = { ...TOWN, attrs: { ...TOWN.attrs, options: [{ value: 'new', label: 'Newham' }] } }
    const formOf = (...groups: Group[]) => ({
      [READ]: { data: { ...FORM, forms: [{ council_areas: [], version: 1, groups }] } },
    })
    const group = (...fields: Field[]): Group => ({ name: 'place', label: 'Where', fields })

    /** Fills the form in, and sends it once the server asks something else. */
    async function sendAfter(change: object, refusal: object): Promise<void> {
      await openForm({ ...formOf(group(TOWN)), [SEND]: { status: 400, data: refusal } })
      await fillOwn()
      await heading('Where')
      fill('Town', 'old')
      next()
      await heading('Check your answers')
      fakeServer.use({ ...change, [SEND]: { status: 400, data: refusal } })
      fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    }
    async function sendAgain(): Promise<unknown> {
      fakeServer.use({ [SEND]: { status: 201, data: SENT } })
      fireEvent.click(await screen.findByRole('button', { name: 'Send' }))
      await heading('Thank you, your form has been sent')
      return fakeServer.requestsTo(SEND).at(-1)!.body.answers
    }
    const CHANGED = /^The questions of this form have changed, and nothing is sent yet/

    it('offers the choices of now where one is gone', async () => {
      await sendAfter(formOf(group(NEW_TOWN)), { 'answers.town': ['Town must be one of the choices'] })
      await heading('Where')
      await screen.findByText(CHANGED)
      expect(screen.queryByRole('option', { name: 'Oldham' })).toBeNull()
      fill('Town', 'new')
      next()
      expect(await sendAgain()).toEqual({ town: 'new' })
    })

    it('asks what is new, says why, and keeps the other answers', async () => {
      const street = field('street', 'Street', { required: true })
      await sendAfter(formOf(group(TOWN, street)), { 'answers.street': ['Enter street'] })
      await heading('Where')
      expect(await screen.findByText(CHANGED)).toBeTruthy()
      fill('Street', 'High Street')
      next()
      expect(screen.queryByText(CHANGED)).toBeNull()
      expect(await sendAgain()).toEqual({ town: 'old', street: 'High Street' })
    })

    it('leaves out what is not asked any more, once the person has seen that', async () => {
      const other = { ...group(field('ward', 'Ward')), name: 'other', label: 'Ward' }
      await sendAfter(formOf(other), { 'answers.town': ["This form does not ask for 'town'"] })
      expect(await screen.findByText(CHANGED)).toBeTruthy()
      expect(await sendAgain()).toBeUndefined()
    })
  })

  it('sends what a program puts into the field that nobody sees', async () => {
    await openForm()
    await fillOwn()
    await heading('How urgent it is')
    fireEvent.click(screen.getByLabelText('No'))
    const trap = document.querySelector<HTMLInputElement>('input[name=website]')!
    expect([trap.tabIndex, trap.closest('[aria-hidden=true]') !== null]).toEqual([-1, true])
    trap.value = 'https://spam.example'
    next()
    await heading('Check your answers')
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    await heading('Thank you, your form has been sent')
    expect(fakeServer.requestsTo(SEND)[0].body.website).toBe('https://spam.example')
  })

  it('begins at its first page, whatever the address says, keeps nothing and warns before it is closed', async () => {
    await openApp('/refer/4?step=check', undefined, { [READ]: { data: FORM } })
    await heading('Before you start')
    const isWarned = () => {
      const event = new Event('beforeunload', { cancelable: true })
      dispatchEvent(event)
      return event.defaultPrevented
    }
    expect(isWarned()).toBe(false)
    fireEvent.click(screen.getByLabelText('I do'))
    expect(isWarned()).toBe(true)
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('self')
  })

  it('that is closed says so', async () => {
    await openForm({ [READ]: { status: 404, data: { message: 'There is no such form' } } })
    await heading('This form cannot be opened')
    expect(screen.getByRole('alert').textContent).toBe('There is no such form.')
  })
})

describe('the status page', () => {
  const status = {
    reference: 'K7M2-XQ9D',
    status: 4,
    sent_on: '2026-06-04',
    decided_on: null,
    decision_text: null,
    expires_on: null,
    may_answer: true,
    messages: [{ is_own: false, text: 'Where does she live?', sent_on: '2026-06-05' }],
  }

  it('sends the secret in a body only, shows the question and sends the answer', async () => {
    await openApp('/referral-status#the-secret', undefined, {
      [STATUS]: { data: status },
      [ANSWER]: ({ body }: FakeRequest) => ({
        data: {
          ...status,
          status: 1,
          may_answer: false,
          messages: [...status.messages, { is_own: true, text: body.text, sent_on: '2026-06-06' }],
        },
      }),
    })
    expect(await screen.findByText('We have a question')).toBeTruthy()
    const [asked] = fakeServer.requestsTo(STATUS)
    expect([asked.body, JSON.stringify(asked.query ?? {})]).toEqual([{ secret: 'the-secret' }, '{}'])
    fireEvent.click(screen.getByRole('button', { name: 'Send answer' }))
    expect((await screen.findAllByText('Enter your answer')).length).toBeGreaterThan(0)
    fill('Your answer', 'With her sister')
    fireEvent.click(screen.getByRole('button', { name: 'Send answer' }))
    await screen.findByRole('heading', { level: 3, name: /^You wrote/ })
    expect(fakeServer.requestsTo(ANSWER)[0].body).toEqual({ secret: 'the-secret', text: 'With her sister' })
    expect(screen.queryByRole('button', { name: 'Send answer' })).toBeNull()
  })

  it('says in the server’s words that a link is dead, and asks nothing without one', async () => {
    await openApp('/referral-status#old', undefined, {
      [STATUS]: { status: 404, data: { message: 'This link is wrong, or has expired' } },
    })
    expect(await screen.findByText('This link is wrong, or has expired.')).toBeTruthy()
  })
})
