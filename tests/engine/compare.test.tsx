import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { contract } from '../loadedContract.ts'
import { fakeServer } from './fakeServer.ts'
import { open, person } from './open.tsx'

const NAME = 'client-merge'
const screens = { [NAME]: contract.screens[NAME] }
const row = { mine: 'A', theirs: 'B', may_both: false, choice: 'mine', reason: null }
const COMPARED = {
  id: 7,
  other: 9,
  version: 1,
  other_version: 2,
  name: 'Dee Dubois',
  other_name: 'Dee Dubios',
  about: '2 cases',
  other_about: '1 case',
  not_same: false,
  likeness: 'Likely the same person',
  reasons: 'same date of birth',
  rows: [
    { ...row, id: 'dob', label: 'Date of birth', choice: null },
    { ...row, id: 'known_as', label: 'Known as', mine: '', choice: 'theirs', reason: 'only one' },
    { ...row, id: 'comm_needs', label: 'Communication needs', may_both: true, choice: 'both' },
  ],
  same: 4,
  moves: [{ id: 'cases', label: '1 case' }],
  sees_more: [{ id: 3, name: 'José', words: 'Advocate of issue 4: also the record of 7' }],
  sees_less: [],
  after: ['9 leads to 7 for ever.'],
  undo_until: '26 December 2026',
}
const READ = 'GET /api/clients/{id}/merge/{other}'
const MERGE = 'POST /api/clients/{id}/merge'
const merge = () => userEvent.click(screen.getByRole('button', { name: 'Merge 9 into 7' }))

beforeEach(() => fakeServer.use({ [READ]: { data: COMPARED }, [MERGE]: { data: { id: 7 } } }))

async function openPage() {
  await open(screens, '/clients/7/merge/9', { contract, person: person([2]) })
  await screen.findByRole('radio', { name: 'Date of birth A' })
}

it('sends the choices made beforehand and those of the person, each field with one', async () => {
  await openPage()
  expect(screen.getByText('1 still to choose')).toBeTruthy()
  expect(screen.getByText('Likely the same person')).toBeTruthy()
  expect(screen.getByRole('region', { name: 'Who will see more' }).textContent).toContain('José, Advocate')
  expect(screen.getByRole('region', { name: 'Who will see less' }).textContent).toContain('Nobody')
  await merge()
  expect(fakeServer.requestsTo(MERGE)).toEqual([])
  // The field without a choice has the focus.
  await userEvent.keyboard('2')
  await userEvent.keyboard('{ArrowDown}{ArrowDown}1')
  await merge()
  expect(await screen.findByText('Another page')).toBeTruthy()
  expect(fakeServer.requestsTo(MERGE).map(({ body }) => body)).toEqual([
    {
      other: 9,
      version: 1,
      other_version: 2,
      choices: { dob: 'theirs', known_as: 'theirs', comm_needs: 'mine' },
    },
  ])
})

it('compares anew what others have changed meanwhile', async () => {
  await openPage()
  await userEvent.click(screen.getByRole('radio', { name: 'Date of birth B' }))
  const changed = [{ ...row, id: 'notes', label: 'Notes', mine: 'Theirs now' }]
  fakeServer.use({
    [READ]: { data: { ...COMPARED, version: 2, rows: changed } },
    [MERGE]: { status: 409, data: { code: 'conflict', message: 'Somebody else changed this meanwhile' } },
  })
  await merge()
  await screen.findByRole('radio', { name: 'Notes Theirs now' })
  await waitFor(() => expect(screen.queryByRole('radio', { name: 'Date of birth B' })).toBeNull())
})
