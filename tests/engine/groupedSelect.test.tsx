import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { inProgress } from '../../src/engine/form/drafts/inProgress.ts'
import { contract } from '../loadedContract.ts'
import { fakeServer } from './fakeServer.ts'
import { CASE_TYPES } from './product.ts'
import { caseTypeBox, drafts, heading, next, openWizard, press, serveWizard } from './wizardContext.tsx'

beforeEach(serveWizard)

const offerOnly = (label: string) =>
  fakeServer.use({
    [`GET ${contract.lookups.case_type.path}`]: { data: CASE_TYPES.filter((type) => type.label === label) },
  })
const groups = () =>
  screen.queryAllByRole('group').map((group) => [
    group.getAttribute('aria-label'),
    ...within(group)
      .getAllByRole('option')
      .map((option) => option.textContent?.trim()),
  ])

describe('fields that are chosen from one list', () => {
  test('stand under the headings of the one they hang on: the person’s own first, and no empty one', async () => {
    await openWizard('/case', [4, 3])
    await userEvent.click(await caseTypeBox())
    expect(groups()).toEqual([
      ['Care Act Advocacy (ICAA)', 'Care Act advocacy'],
      ['NHS Complaints Advocacy (IHCA)', 'NHS complaints advocacy'],
      [
        'Independent Mental Capacity Advocacy (IMCA)',
        'IMCA - Serious medical treatment',
        'IMCA - Change of accommodation',
      ],
      ['Independent Mental Health Advocacy (IMHA)', 'IMHA - Detained, CTO or guardianship'],
      ["Paid Relevant Person's Representative (RPR)", "RPR - Paid relevant person's representative"],
    ])
    expect(screen.queryByLabelText('Service')).toBeNull()
  })

  test('are found by the heading too, and chosen with the keyboard: both are answered', async () => {
    await openWizard()
    const field = await caseTypeBox()
    await userEvent.type(field, 'mental health')
    expect(groups()).toEqual([
      ['Independent Mental Health Advocacy (IMHA)', 'IMHA - Detained, CTO or guardianship'],
    ])
    await userEvent.keyboard('{Enter}')
    expect(field.value).toBe('IMHA - Detained, CTO or guardianship')
    const note = screen.getByText('Service: Independent Mental Health Advocacy (IMHA)')
    expect(field.getAttribute('aria-describedby')).toBe(note.id)
    await press('Save draft')
    await screen.findByText('Another page')
    expect(drafts.get(1)?.payload).toMatchObject({ document: { service: 2, case_type: 3 } })
  })

  test('are missing together, in one message at the one box', async () => {
    await openWizard()
    const field = await caseTypeBox()
    await userEvent.type(field, 'mental{Escape}')
    await userEvent.type(field, 'zzz')
    await next()
    await userEvent.click(within(screen.getByRole('alert')).getByRole('link', { name: 'Choose case type' }))
    expect(document.activeElement).toBe(field)
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(screen.queryByText('Choose service')).toBeNull()
  })

  test('are chosen by themselves where there is one choice, which begins nothing', async () => {
    offerOnly('Care Act advocacy')
    await openWizard()
    const field = await caseTypeBox()
    await waitFor(() => expect(field.value).toBe('Care Act advocacy'))
    expect(screen.getByText('Service: Care Act Advocacy (ICAA)')).toBeTruthy()
    expect(inProgress()).toBe(false)
    await next()
    await heading('Client')
    await userEvent.click(screen.getByLabelText('New client'))
    await press('Save draft')
    await screen.findByText('Another page')
    expect(drafts.get(1)?.payload).toMatchObject({ document: { service: 3, case_type: 4 } })
  })

  test('go on from a draft that knows the heading only', async () => {
    drafts.set(1, { id: 1, version: 1, kind: 'case', payload: { document: { service: 3 }, step: 'service' } })
    await openWizard('/case?draft=1')
    const field = await caseTypeBox()
    await waitFor(() => expect(field.value).toBe('Care Act advocacy'))
  })
})
