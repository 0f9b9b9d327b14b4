// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRef } from 'react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Field } from '../../src/contract/generated.ts'
import type { Values } from '../../src/contract/when.ts'
import { LookupCell } from '../../src/engine/cells/LookupCell.tsx'
import { type FormHandle, FormView } from '../../src/engine/form/FormView.tsx'
import { FilterField } from '../../src/engine/list/FilterField.tsx'
import { FilterTags } from '../../src/engine/list/Filters.tsx'
import type { Filter } from '../../src/engine/list/filters.ts'
import { Providers, type Sent, serve } from './formFixtures.tsx'

/** 5,000 organisations, of which the last is retired; and 300 teams, which are sent as a whole. */
const ORGS = Array.from({ length: 5000 }, (_, i) => ({
  value: i + 1,
  label: `Org ${i + 1}`,
  area: (i % 2) + 1,
}))
const RETIRED = { ...ORGS[4999], active: false }
const TEAMS = Array.from({ length: 300 }, (_, i) => ({ value: i + 1, label: `Team ${i + 1}` }))

let sent: Sent[]
beforeEach(() => {
  sent = serve(({ path, params }) => {
    if (path === '/referral_role_lookup/') return TEAMS
    if (path !== '/sp_org_lookup/') return undefined
    const { id, term, area } = params as { id?: number[]; term?: string; area?: number }
    const all = [...ORGS.slice(0, -1), ...(id || params.active === false ? [RETIRED] : [])].filter(
      (one) =>
        (!id || id.includes(one.value)) &&
        (!area || one.area === area) &&
        (!term || one.label.toLowerCase().includes(term.toLowerCase())),
    )
    return [200, all.slice(0, 2000), { 'x-total-count': String(all.length) }]
  })
})
afterEach(cleanup)
const calls = () => sent.filter(({ path }) => path === '/sp_org_lookup/').map(({ params }) => params)

const form = createRef<FormHandle>()
function draw(fields: Field[], initial: Values = {}) {
  render(
    <Providers>
      <FormView
        ref={form}
        sections={[{ key: 's', at: '', groups: [{ name: 'g', label: 'Group', fields }] }]}
        initial={initial}
        conditionContext={{}}
        idPrefix="f"
      />
    </Providers>,
  )
}
const document_ = () => {
  act(() => form.current!.flush())
  return form.current!.document()
}
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

/** All at once: keys one by one are combobox.test.tsx's. */
const type = (input: HTMLInputElement, value: string) => {
  act(() => input.focus())
  fireEvent.change(input, { target: { value } })
}

describe('one of 5,000 choices', () => {
  test('far down the list is called by its name, and a retired one too', async () => {
    draw([org(), { ...org(), name: 'other', label: 'Other' }], { org: 4321, other: 5000 })
    await waitFor(async () => expect((await box(/^Organisation/)).value).toBe('Org 4321'))
    expect((await box(/^Other/)).value).toBe('Org 5000')
    expect(screen.queryByText(/no longer offered/)).toBeNull()
  })

  test('is found by the server, chosen with the keyboard, and keeps its name', async () => {
    draw([org()])
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
    expect([input.value, document_()]).toEqual(['Org 4777', { org: 4777 }])
    await waitFor(() => expect(input.value).toBe('Org 4777'))
    expect(calls().filter(({ term }) => term)).toEqual([{ active: false, term: 'org 4777' }])
  })

  test('whose name many others contain comes first, and Home, End and Escape move and go back', async () => {
    draw([org()], { org: 7 })
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
    expect([input.value, document_(), input.getAttribute('aria-expanded')]).toEqual([
      'Org 7',
      { org: 7 },
      'false',
    ])
  })

  test('stays or goes with the answer that narrows its list, wherever it stands in the list', async () => {
    const area: Field = {
      name: 'area',
      label: 'Area',
      type: 'select',
      attrs: { options: [1, 2].map((value) => ({ value, label: `Area ${value}` })) },
    }
    draw([area, org({ lookup_params: { area: '$area' } })], { org: 4002 })
    await waitFor(async () => expect((await box(/^Organisation/)).value).toBe('Org 4002'))
    await userEvent.selectOptions(screen.getByLabelText(/^Area/), 'Area 2')
    await waitFor(() => expect(calls()).toContainEqual({ area: 2, id: [4002] }))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(document_()).toEqual({ area: 2, org: 4002 })
    await userEvent.selectOptions(screen.getByLabelText(/^Area/), 'Area 1')
    await waitFor(() => expect(document_()).toEqual({ area: 1 }))
  })

  test('keeps the focus that its field had while the list was read', async () => {
    draw([org()])
    act(() => screen.getByRole('combobox', { name: /^Organisation/ }).focus())
    const input = await box(/^Organisation/)
    expect(document.activeElement).toBe(input)
  })

  test('of 300 is searched in the browser alone', async () => {
    draw([org({ lookup: 'referral_role' })])
    const input = await box(/^Organisation/)
    type(input, 'team 250')
    fireEvent.click(await screen.findByRole('option', { name: 'Team 250' }))
    expect(document_()).toEqual({ org: 250 })
    expect(sent.filter(({ path }) => path === '/referral_role_lookup/')).toHaveLength(1)
  })
})

test('several of 5,000 are added and removed one by one, and the focus stays in the box', async () => {
  draw([{ ...org(), type: 'multiselect' }], { org: [4000, 5000] })
  const chosen = () => within(screen.getByRole('list', { name: 'Chosen of Organisation' }))
  await screen.findByRole('button', { name: 'Org 4000, remove this choice' })
  chosen().getByRole('button', { name: 'Org 5000, remove this choice' })
  const input = await box(/^Find a choice of Organisation/)
  type(input, '4888')
  fireEvent.click(await screen.findByRole('option', { name: 'Org 4888' }))
  expect(document_()).toEqual({ org: [4000, 5000, 4888] })
  expect([input.value, document.activeElement]).toEqual(['', input])
  await userEvent.click(chosen().getByRole('button', { name: 'Org 5000, remove this choice' }))
  expect(document_()).toEqual({ org: [4000, 4888] })
  expect(document.activeElement).toBe(input)
  chosen().getByRole('button', { name: 'Org 4888, remove this choice' })
})

test('cells of one lookup ask for what they name at once', async () => {
  const property = { title: 'Organisation', lookup: 'sp_org' }
  render(
    <Providers>
      {[4001, 4002, [4003, 5000], 12].map((value) => (
        <p key={String(value)}>
          <LookupCell value={value} property={property} row={{}} />
        </p>
      ))}
    </Providers>,
  )
  await screen.findByText('Org 4001')
  await screen.findByText('Org 4002')
  await screen.findByText('Org 4003, Org 5000')
  await screen.findByText('Org 12')
  expect(calls()).toEqual([{ active: false }, { id: [4001, 4002, 4003, 5000] }])
})

test('a filter of 5,000 choices is searched, and its tag names the choice', async () => {
  const filter = { name: 'org', title: 'Organisation', type: 'integer', lookup: 'sp_org' } as Filter
  const texts: string[] = []
  render(
    <Providers>
      <FilterField id="org" filter={filter} text="4500" onChange={(text) => texts.push(text)} />
      <FilterTags filters={[filter]} applied={{ org: '4500' }} onApply={() => undefined} />
    </Providers>,
  )
  await screen.findByRole('button', { name: 'Organisation: Org 4500, remove this filter' })
  const input = await box(/^Organisation/)
  await waitFor(() => expect(input.value).toBe('Org 4500'))
  type(input, 'org 4600')
  fireEvent.click(await screen.findByRole('option', { name: 'Org 4600' }))
  expect(texts.at(-1)).toBe('4600')
})
