import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { partsOf } from '../../src/constructor/forms/diffParts.ts'
import { openConstructor, preview, row, serveConstructor, settings } from './constructorContext.tsx'
import { field, openForm, section } from './openForm.tsx'

const options = [
  { value: 'ward', label: 'A ward' },
  { value: 'home', label: 'At home' },
  { value: 'tent', label: 'A tent', active: false },
]
const place = (attrs = {}) => field('place', 'select', { options, radios: true, ...attrs })

describe('one choice by radio buttons', () => {
  it('is a set of what is offered under its label, and stores what a list would', async () => {
    const { values } = openForm(section([place({ required: true })]))
    const set = within(screen.getByRole('radiogroup', { name: 'Place' }))
    expect(
      set.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).labels![0].textContent),
    ).toEqual(['A ward', 'At home'])
    await userEvent.click(set.getByRole('radio', { name: 'At home' }))
    expect(values()).toEqual({ place: 'home' })
    expect(set.queryByRole('button')).toBeNull()
  })

  it('keeps a retired answer, and is cleared where it need not be answered', async () => {
    const { values } = openForm(section([place()]), { place: 'tent' })
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /A tent/ }).checked).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: 'Clear Place' }))
    expect(values()).toEqual({ place: undefined })
  })

  it('says at the set that it must be answered', () => {
    const { submit } = openForm(section([place({ required: true })]))
    expect(Object.keys(submit())).toEqual(['place'])
    expect(screen.getByRole('radiogroup', { name: 'Place' }).getAttribute('aria-required')).toBe('true')
  })

  it('differs in words from a list', () => {
    expect(partsOf(place({ radios: undefined }), place(), new Map(), new Map())).toEqual([
      { name: 'Radio buttons', before: 'No', after: 'Yes' },
    ])
  })
})

describe('in the constructor', () => {
  beforeEach(serveConstructor)

  it('is set with the choices, and previewed', async () => {
    const { user } = await openConstructor()
    await user.click(row('Kind'))
    expect(preview().queryByRole('radiogroup', { name: /^Kind/ })).toBeNull()
    await user.click(settings().getByLabelText(/^Show them as radio buttons/))
    const set = within(preview().getByRole('radiogroup', { name: /^Kind/ }))
    expect(set.getAllByRole('radio')).toHaveLength(2)
  })
})
