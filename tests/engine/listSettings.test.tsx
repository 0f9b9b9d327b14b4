import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import type { Field } from '../../src/contract/generated.ts'
import { openConstructor, row, serveConstructor, settings, stored } from './constructorContext.tsx'

const fromList = (name: string, label: string, list: number, of?: string): Field => ({
  name,
  label,
  type: 'select',
  attrs: {
    lookup: 'shared_list_item',
    lookup_params: { shared_list: list, ...(of && { shared_list_item: of }) },
  },
})
// The demo's list 2 has list 1 as its parent.
const FIELDS = [
  fromList('subject', 'Subject', 1),
  fromList('detail', 'Detail', 2, '$subject'),
  fromList('aspect', 'Aspect', 2),
]
const NARROWED = 'Narrowed by item of a shared list'

beforeEach(() => {
  serveConstructor()
  stored.type = { ...stored.type, case_meta: [{ name: 'about', label: 'About', fields: FIELDS }] }
})

it('narrows a list only by fields and items of its parent list', async () => {
  const { user } = await openConstructor()
  await user.click(row('Aspect'))
  const narrowed = await settings().findByLabelText(NARROWED)
  const labels = () => [...narrowed.querySelectorAll('option')].map(({ textContent }) => textContent)
  await waitFor(() =>
    expect(labels()).toEqual([
      'Not narrowed',
      'What is answered in Subject',
      'Always Appointments',
      'Always Clinical treatment',
      'Always Communication',
      'Always Behaviour of staff',
      'Always Waiting times',
    ]),
  )
  await user.click(row('Subject'))
  await waitFor(() => expect(settings().queryByLabelText(NARROWED)).toBeNull())
  expect(settings().getByLabelText('Narrowed by shared list')).toBeDefined()
})

it('names the field that is narrowed by a field of another list', async () => {
  stored.type = {
    ...stored.type,
    case_meta: [
      {
        name: 'about',
        label: 'About',
        fields: [fromList('subject', 'Subject', 2), fromList('detail', 'Detail', 2, '$subject')],
      },
    ],
  }
  const { user } = await openConstructor()
  await user.click(row('Detail'))
  const message =
    "'Detail' chooses from 'Subject of a complaint in detail', whose items belong to 'Subject of a complaint'; narrow it by a field that chooses from 'Subject of a complaint'"
  const [said] = await within(document.querySelector<HTMLElement>('.constructor-settings')!).findAllByText(
    message,
  )
  expect(said).toBeDefined()
  expect(screen.getByLabelText(NARROWED).getAttribute('aria-invalid')).toBe('true')
})
