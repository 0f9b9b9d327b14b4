import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Field } from '../../src/contract/generated.ts'
import { LookupCell } from '../../src/engine/cells/LookupCell.tsx'
import { choiceOf } from '../../src/engine/form/widgets/useRefChoices.ts'
import { FilterField } from '../../src/engine/kinds/list/FilterField.tsx'
import { FilterTags } from '../../src/engine/kinds/list/Filters.tsx'
import type { Filter } from '../../src/engine/kinds/list/state/filters.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer } from './fakeServer.ts'
import { openElement } from './open.tsx'
import { field, openForm, section } from './openForm.tsx'
import { lookupHandlers } from './product.ts'

/** 5,000 organisations, of which the last is retired; and 300 teams, which are sent as a whole. */
const ORGS = Array.from({ length: 5000 }, (_, i) => ({
  value: i + 1,
  label: `Org ${i + 1}`,
  area: (i % 2) + 1,
}))
const RETIRED = { ...ORGS[4999], active: false }
const TEAMS = Array.from({ length: 300 }, (_, i) => ({ value: i + 1, label: `Team ${i + 1}` }))

const LIST = 'GET /sp_org_lookup/'
beforeEach(() =>
  fakeServer.use({
    ...lookupHandlers,
    'GET /referral_role_lookup/': { data: TEAMS },
    [LIST]: ({ query }) => {
      const { id, term, area } = query as { id?: number[]; term?: string; area?: number }
      const all = [...ORGS.slice(0, -1), ...(id || query.active === false ? [RETIRED] : [])].filter(
        (one) =>
          (!id || id.includes(one.value)) &&
          (!area || one.area === area) &&
          (!term || one.label.toLowerCase().includes(term.toLowerCase())),
      )
      return { data: all.slice(0, 2000), headers: { 'x-total-count': all.length } }
    },
  }),
)
const queries = () => fakeServer.requestsTo(LIST).map(({ query }) => query)

const org = (attrs: Field['attrs'] = {}): Field => ({
  name: 'org',
  label: 'Organisation',
  type: 'select',
  attrs: { lookup: 'sp_org', ...attrs },
})
/** The box of a field, which is a native select until its list is known to be large. */
const box = (name: RegExp) =>
  waitFor(() => {
    const found = screen.getByRole('combobox', { name })
    expect(found.tagName).toBe('INPUT')
    return found as HTMLInputElement
  })

/** Types a whole text at once; combobox.test.tsx types key by key. */
const type = (input: HTMLInputElement, value: string) => {
  act(() => input.focus())
  fireEvent.change(input, { target: { value } })
}

describe('a lookup', () => {
  test('a changed parent clears values that no longer fit; loading never does', async () => {
    const user = userEvent.setup()
    const fields = [
      field('sfg_category', 'select', { lookup: 'sfg_category' }),
      field('sfg_subcategory', 'select', {
        lookup: 'sfg_subcategory',
        lookup_params: { sfg_category: '$sfg_category' },
      }),
    ]
    const { form } = openForm(section(fields), { sfg_category: 1, sfg_subcategory: 36 })
    await waitFor(() => expect(screen.getByText('Refusing essential care (no longer offered)')).toBeTruthy())
    expect(form.document()).toEqual({ sfg_category: 1, sfg_subcategory: 36 })
    await user.selectOptions(document.getElementById('f.sfg_category')!, 'Sexual abuse')
    await waitFor(() => expect(form.document()).toEqual({ sfg_category: 3 }))
  })

  test('long lists can be searched, and grouped lists show their headings', async () => {
    const user = userEvent.setup()
    openForm(
      section([
        field('needs', 'multiselect', { lookup: 'comm_needs' }),
        field('ethnicity', 'select', { lookup: 'ethnicity' }),
      ]),
    )
    await waitFor(() => expect(screen.getByLabelText('Braille')).toBeTruthy())
    await user.type(screen.getByRole('searchbox'), 'brail')
    expect(screen.queryByLabelText('Easy read')).toBeNull()
    await user.click(screen.getByLabelText('Braille'))
    expect(screen.getByText('1 chosen: Braille')).toBeTruthy()
    expect(document.querySelector('optgroup')!.label).toBe('Asian, Asian British or Asian Welsh')
  })

  test('a client who is offered has the date of birth as pages write it', () => {
    const { chosen, properties } = contract.entities.clientRow
    const ada = { id: 7, first_name: 'Ada', last_name: 'Byron', dob: '1938-08-04' }
    expect(choiceOf(ada, chosen, properties)).toMatchObject({
      label: 'Ada Byron (#7)',
      about: '4 August 1938',
    })
  })

  test('an address is chosen from its postcode', async () => {
    const user = userEvent.setup()
    fakeServer.use({
      'GET /fetch/address_from_postcode/': { data: [{ value: 'demo-1', label: '1 Road' }] },
      'GET /fetch/full_address_from_id/': { data: [{ value: 'demo-1', label: '1 Road, Town' }] },
    })
    openForm(section([field('postcode', 'postcode'), field('address', 'textarea')]))
    await user.type(screen.getByLabelText(/^Postcode/), 'ZZ99 9ZZ')
    await user.click(screen.getByRole('button', { name: 'Find address' }))
    await user.selectOptions(await screen.findByLabelText(/1 address found/), '1 Road')
    await waitFor(() =>
      expect((screen.getByLabelText(/^Address/) as HTMLTextAreaElement).value).toBe('1 Road, Town'),
    )
  })
})

describe('a lookup of 5,000 items', () => {
  test('shows an item from far down the list by its name, and a retired one too', async () => {
    openForm(section([org(), { ...org(), name: 'other', label: 'Other' }]), { org: 4321, other: 5000 })
    await waitFor(async () => expect((await box(/^Organisation/)).value).toBe('Org 4321'))
    expect((await box(/^Other/)).value).toBe('Org 5000')
    expect(screen.queryByText(/no longer offered/)).toBeNull()
  })

  test('is searched on the server and chosen with the keyboard', async () => {
    const { values } = openForm(section([org()]))
    const input = await box(/^Organisation/)
    await waitFor(() => expect(input.getAttribute('aria-busy')).toBeNull())
    await userEvent.click(input)
    expect(screen.getAllByRole('option')).toHaveLength(100)
    expect(screen.getByRole('status').textContent).toMatch(/^The first 100 of many are listed/)
    type(input, 'org 4777')
    expect(screen.getByRole('status').textContent).toBe('Searching…')
    await screen.findByRole('option', { name: 'Org 4777' })
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('1 found'))
    await userEvent.keyboard('{Enter}')
    expect([input.value, values()]).toEqual(['Org 4777', { org: 4777 }])
    await waitFor(() => expect(input.value).toBe('Org 4777'))
    expect(queries().filter(({ term }) => term)).toEqual([{ active: false, term: 'org 4777' }])
  })

  test('lists an exact match first; Home and End move, Escape restores the choice', async () => {
    const { values } = openForm(section([org()]), { org: 7 })
    const input = await box(/^Organisation/)
    await waitFor(() => expect(input.value).toBe('Org 7'))
    type(input, 'org 19')
    const active = () =>
      document.getElementById(input.getAttribute('aria-activedescendant') ?? '')?.textContent?.trim()
    expect(active()).toBe('Org 19')
    await userEvent.keyboard('{End}')
    expect(active()).toBe(screen.getAllByRole('option').at(-1)?.textContent?.trim())
    await userEvent.keyboard('{Home}')
    expect(active()).toBe('Org 19')
    await userEvent.keyboard('{Escape}')
    expect([input.value, values(), input.getAttribute('aria-expanded')]).toEqual([
      'Org 7',
      { org: 7 },
      'false',
    ])
  })

  test('keeps or clears its value when the value that narrows its list changes', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const area: Field = {
      name: 'area',
      label: 'Area',
      type: 'select',
      attrs: { options: [1, 2].map((value) => ({ value, label: `Area ${value}` })) },
    }
    const { values } = openForm(section([area, org({ lookup_params: { area: '$area' } })]), { org: 4002 })
    await waitFor(async () => expect((await box(/^Organisation/)).value).toBe('Org 4002'))
    await userEvent.selectOptions(screen.getByLabelText(/^Area/), 'Area 2')
    await waitFor(() => expect(queries()).toContainEqual({ area: 2, id: [4002] }))
    await act(() => vi.advanceTimersByTimeAsync(50))
    expect(values()).toEqual({ area: 2, org: 4002 })
    await userEvent.selectOptions(screen.getByLabelText(/^Area/), 'Area 1')
    await waitFor(() => expect(values()).toEqual({ area: 1 }))
  })

  test('keeps the focus that its field had while the list loaded', async () => {
    openForm(section([org()]))
    act(() => screen.getByRole('combobox', { name: /^Organisation/ }).focus())
    const input = await box(/^Organisation/)
    expect(document.activeElement).toBe(input)
  })

  test('of 300 items is searched in the browser alone', async () => {
    const { values } = openForm(section([org({ lookup: 'referral_role' })]))
    const input = await box(/^Organisation/)
    type(input, 'team 250')
    fireEvent.click(await screen.findByRole('option', { name: 'Team 250' }))
    expect(values()).toEqual({ org: 250 })
    expect(fakeServer.requestsTo('GET /referral_role_lookup/')).toHaveLength(1)
  })
})

test('several items of 5,000 are added and removed one by one, and the focus stays in the box', async () => {
  const { values } = openForm(section([{ ...org(), type: 'multiselect' }]), { org: [4000, 5000] })
  const chosen = () => within(screen.getByRole('list', { name: 'Chosen of Organisation' }))
  await screen.findByRole('button', { name: 'Org 4000, remove this choice' })
  chosen().getByRole('button', { name: 'Org 5000, remove this choice' })
  const input = await box(/^Find a choice of Organisation/)
  type(input, '4888')
  fireEvent.click(await screen.findByRole('option', { name: 'Org 4888' }))
  expect(values()).toEqual({ org: [4000, 5000, 4888] })
  expect([input.value, document.activeElement]).toEqual(['', input])
  await userEvent.click(chosen().getByRole('button', { name: 'Org 5000, remove this choice' }))
  expect(values()).toEqual({ org: [4000, 4888] })
  expect(document.activeElement).toBe(input)
  chosen().getByRole('button', { name: 'Org 4888, remove this choice' })
})

test('cells of one lookup load their items by one request', async () => {
  const property = { title: 'Organisation', lookup: 'sp_org' }
  openElement(
    [4001, 4002, [4003, 5000], 12].map((value) => (
      <p key={String(value)}>
        <LookupCell value={value} property={property} row={{}} />
      </p>
    )),
    { contract },
  )
  await screen.findByText('Org 4001')
  await screen.findByText('Org 4002')
  await screen.findByText('Org 4003, Org 5000')
  await screen.findByText('Org 12')
  expect(queries()).toEqual([{ active: false }, { id: [4001, 4002, 4003, 5000] }])
})

test('a filter of 5,000 items is searched, and its tag names the item', async () => {
  const filter = { name: 'org', title: 'Organisation', type: 'integer', lookup: 'sp_org' } as Filter
  const texts: string[] = []
  openElement(
    <>
      <FilterField id="org" filter={filter} text="4500" onChange={(text) => texts.push(text)} />
      <FilterTags
        filters={[filter]}
        applied={{ org: '4500' }}
        relative={{ org: '4500' }}
        onApply={() => undefined}
      />
    </>,
    { contract },
  )
  await screen.findByRole('button', { name: 'Organisation: Org 4500, remove this filter' })
  const input = await box(/^Organisation/)
  await waitFor(() => expect(input.value).toBe('Org 4500'))
  type(input, 'org 4600')
  fireEvent.click(await screen.findByRole('option', { name: 'Org 4600' }))
  expect(texts.at(-1)).toBe('4600')
})
