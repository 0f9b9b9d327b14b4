import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { openConstructor, preview, row, serveConstructor, settings, stored } from './constructorContext.tsx'
import { field, openForm, section } from './openForm.tsx'

const WORDS = { min_text: 'No pain', max_text: 'Unbearable' }

describe('a scale', () => {
  it('is a set of radio buttons, the ends of which say their words', async () => {
    const { values } = openForm(section([field('pain', 'scale', { max: 5, ...WORDS, required: true })]))
    const set = within(screen.getByRole('radiogroup', { name: 'Pain' }))
    expect(set.getAllByRole('radio')).toHaveLength(6)
    expect(set.getByRole('radio', { name: '5 Unbearable' })).toBeTruthy()
    await userEvent.click(set.getByRole('radio', { name: '0 No pain' }))
    expect(values()).toEqual({ pain: 0 })
    await userEvent.click(set.getByRole('radio', { name: '4' }))
    expect(values()).toEqual({ pain: 4 })
    expect(set.queryByRole('button')).toBeNull()
  })

  it('is cleared where it need not be answered', async () => {
    const { values } = openForm(section([field('pain', 'scale')]), { pain: 3 })
    await userEvent.click(screen.getByRole('button', { name: 'Clear Pain' }))
    expect(values()).toEqual({ pain: undefined })
  })

  it('keeps an answer that it no longer has, and says so when it is saved anew', () => {
    const { submit } = openForm(section([field('pain', 'scale', { max: 5 })]), { pain: 9 })
    expect(screen.getByRole<HTMLInputElement>('radio', { name: '9' }).checked).toBe(true)
    expect(submit()).toEqual({ pain: ['Pain must be a number from 0 to 5'] })
  })

  it('steers other fields, and is read with what its ends mean', () => {
    const fields = [field('pain', 'scale', WORDS), field('why', 'text', { when: { pain: { min: 7 } } })]
    const { unmount } = openForm(section(fields), { pain: 7 })
    expect(screen.getByRole('textbox', { name: /Why/ })).toBeTruthy()
    unmount()
    openForm(section(fields), { pain: 6 }, { readOnly: true })
    screen.getByText('6 on a scale from 0 (No pain) to 10 (Unbearable)')
    expect(screen.queryByText('Why')).toBeNull()
  })
})

describe('in the constructor', () => {
  beforeEach(serveConstructor)

  it('its ends and their words are set and previewed', async () => {
    stored.type = {
      ...stored.type,
      case_meta: [{ name: 'home', label: 'Home', fields: [field('pain', 'scale')] }],
    }
    const { user } = await openConstructor()
    await user.click(row('Pain'))
    await user.type(settings().getByLabelText(/^Ends at/), '4')
    await user.type(settings().getByLabelText('What the last number means'), 'Unbearable')
    expect(preview().getAllByRole('radio')).toHaveLength(5)
    expect(preview().getByRole('radio', { name: '4 Unbearable' })).toBeTruthy()
    await user.clear(settings().getByLabelText(/^Ends at/))
    await user.type(settings().getByLabelText(/^Ends at/), '40')
    expect(settings().getByText(/may have 11 numbers; from 0 to 40 it has 41/)).toBeTruthy()
  })
})
