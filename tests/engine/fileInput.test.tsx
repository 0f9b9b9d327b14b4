import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fakeServer, type Reply } from './fakeServer.ts'
import { field, openForm, section } from './openForm.tsx'

const letter = new File(['Dear Sir'], 'letter.pdf', { type: 'application/pdf' })

/** The server, which stores files as 77 and answers an upload once `answer` is called. */
function slowServer() {
  let answer: (reply: Reply) => void = () => undefined
  fakeServer.use({
    'POST /api/files': () =>
      new Promise<Reply>((resolve) => {
        answer = resolve
      }),
    'GET /api/files/77/info': { data: { id: 77, name: 'letter.pdf' } },
  })
  return { answer: (reply: Reply) => act(async () => answer(reply)) }
}

test('a form cannot be saved while a file is being uploaded', async () => {
  const { answer } = slowServer()
  const { submit, form, values } = openForm(section([field('proof', 'file')]))
  await userEvent.upload(screen.getByLabelText(/^Proof/), letter)
  expect(form.isDirty()).toBe(true)
  expect(submit()).toEqual({ proof: ['Wait until letter.pdf is uploaded'] })
  await answer({ status: 201, data: { id: 77 } })
  await waitFor(() => expect(values()).toEqual({ proof: 77 }))
  expect(submit()).toEqual({})
})

test('a form can be saved again after an upload that failed', async () => {
  const { answer } = slowServer()
  const { submit } = openForm(section([field('proof', 'file')]))
  await userEvent.upload(screen.getByLabelText(/^Proof/), letter)
  await answer({ status: 503, data: { message: 'Try again.' } })
  await screen.findByText('letter.pdf could not be uploaded')
  expect(submit()).toEqual({})
})

const letters = field('letters', 'repeat', {}, { fields: [field('copy', 'file')] })

test('a file goes into the row it was chosen in, also when a row above was removed meanwhile', async () => {
  const { answer } = slowServer()
  const { form } = openForm(section([letters]), { letters: [{ row: 'a' }, { row: 'b' }, { row: 'c' }] })
  const second = document.querySelector<HTMLElement>('[data-row="1"]')!
  await userEvent.upload(within(second).getByLabelText(/^Copy/), letter)
  await userEvent.click(screen.getByRole('button', { name: 'Remove Letters 1' }))
  await answer({ status: 201, data: { id: 77 } })
  expect(form.document()).toEqual({ letters: [{ row: 'b', copy: 77 }, { row: 'c' }] })
})

test('a file of a removed row is dropped', async () => {
  const { answer } = slowServer()
  const { form, submit } = openForm(section([letters]), { letters: [{ row: 'a' }, { row: 'b' }] })
  const second = document.querySelector<HTMLElement>('[data-row="1"]')!
  await userEvent.upload(within(second).getByLabelText(/^Copy/), letter)
  await userEvent.click(screen.getByRole('button', { name: 'Remove Letters 2' }))
  await answer({ status: 201, data: { id: 77 } })
  expect(form.document()).toEqual({ letters: [{ row: 'a' }] })
  expect(submit()).toEqual({})
})
