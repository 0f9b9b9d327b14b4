import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Check } from '../../src/contract/generated.ts'
import { loadPatterns } from '../../src/engine/form/store/patternErrors.ts'
import { PaperAnswer } from '../../src/engine/kinds/paper/PaperAnswer.tsx'
import {
  announced,
  CASE_META,
  fieldOf,
  openConstructor,
  patches,
  preview,
  publish,
  row,
  serveConstructor,
  settings,
  stored,
} from './constructorContext.tsx'
import { field, openForm, section } from './openForm.tsx'

const EARLY: Check = {
  when: { end: { max: { path: 'start' }, not: { path: 'start' } } },
  message: 'The end cannot be before the start',
}

const errorAt = (id: string) => document.getElementById(`${id}-error`)?.textContent ?? ''

describe('a field with a check', () => {
  const fields = [field('start', 'date'), field('end', 'date', { checks: [EARLY] })]
  const change = (label: string, value: string) => {
    const input = screen.getByLabelText(new RegExp(`^${label}`))
    fireEvent.change(input, { target: { value } })
    fireEvent.blur(input)
  }

  it('shows the message once it is left, and loses it when the other field is put right', async () => {
    openForm(section(fields), { start: '2026-02-02' })
    change('End', '2026-02-01')
    await waitFor(() => expect(errorAt('f.end')).toContain(EARLY.message))
    change('Start', '2026-02-01')
    await waitFor(() => expect(errorAt('f.end')).toBe(''))
  })

  it('is in the summary when only what it looks at was changed', async () => {
    const before = { start: '2026-02-02', end: '2026-02-03' }
    const { submit } = openForm(section(fields), before)
    change('Start', '2026-02-04')
    expect(submit(before)).toEqual({ end: [EARLY.message] })
    const summary = screen.getByRole('alert', { name: 'There is a problem' })
    expect(within(summary).getByRole('link', { name: EARLY.message })).toBeTruthy()
  })

  it('in a row looks in its row first', async () => {
    const { submit } = openForm(section([field('stays', 'repeat', {}, { fields }), fields[0]]), {
      start: '2026-01-01',
      stays: [{ row: 'a', start: '2026-02-02', end: '2026-02-01' }],
    })
    expect(submit()).toEqual({ 'stays.0.end': [EARLY.message] })
  })

  it('with a limit of words counts those of the answer', async () => {
    const user = userEvent.setup()
    openForm(section([field('timeline', 'textarea', { max_words: 2 })]))
    await user.type(screen.getByLabelText(/^Timeline/), 'one two three')
    await user.tab()
    await waitFor(() => expect(errorAt('f.timeline')).toContain('Timeline has 3 words of at most 2'))
  })
})

describe('a text with a pattern', () => {
  it('says what it must be like, once the engine that matches it is loaded', async () => {
    const user = userEvent.setup()
    openForm(section([field('number', 'text', { pattern: { matches: '[A-Z]{2}[0-9]+', example: 'AB12' } })]))
    await loadPatterns()
    await user.type(screen.getByLabelText(/^Number/), 'ab12')
    await user.tab()
    await waitFor(() => expect(errorAt('f.number')).toContain('Number must be like AB12'))
    await user.clear(screen.getByLabelText(/^Number/))
    await user.type(screen.getByLabelText(/^Number/), 'XY1')
    await user.tab()
    await waitFor(() => expect(errorAt('f.number')).toBe(''))
  })
})

it('a text with a pattern has its example on paper', () => {
  const number = field('number', 'text', { pattern: { matches: '[A-Z]{2}[0-9]+', example: 'AB12' } })
  const plain = {
    number: '1',
    only: '',
    jump: '',
    isOptional: true,
    needed: '',
    columns: [],
    isWeighed: false,
    workedOut: '',
  }
  render(<PaperAnswer question={{ ...plain, field: number }} />)
  expect(screen.getByText('Such as AB12')).toBeTruthy()
})

describe('a file of a field that takes some', () => {
  it('is refused before it is sent', async () => {
    const user = userEvent.setup({ applyAccept: false })
    openForm(section([field('scan', 'file', { accept: ['picture', 'pdf'], max_size: 1 })]))
    const input = screen.getByLabelText(/^Scan/)
    expect(input.getAttribute('accept')).toBe('.png,.jpg,.jpeg,.pdf')
    await user.upload(input, new File(['a'], 'a.txt'))
    expect(screen.getByText('Scan must be a picture or a PDF')).toBeTruthy()
    await user.upload(input, new File(['a'.repeat(1_000_001)], 'a.pdf'))
    expect(screen.getByText('Scan must be 1 MB or smaller')).toBeTruthy()
  })
})

describe('the checks of a field in the constructor', () => {
  beforeEach(() => {
    serveConstructor()
    const [first, other] = structuredClone(CASE_META)
    first.fields.push(
      { name: 'start', label: 'Start', type: 'date' },
      { name: 'end', label: 'End', type: 'date' },
    )
    stored.type = { ...stored.type, case_meta: [first, other] }
  })
  const focused = () => document.activeElement as HTMLElement
  const press = async (user: ReturnType<typeof userEvent.setup>, name: string) => {
    settings().getByRole('button', { name }).focus()
    await user.keyboard('{Enter}')
  }

  it('are built by the keyboard, seen in the preview and published', async () => {
    const { user } = await openConstructor()
    await user.click(row('End'))
    await press(user, 'Add a check')
    const check = within(settings().getByRole('group', { name: 'Check 1' }))
    expect(check.getByText("Choose a value of 'End' for this condition")).toBeTruthy()
    expect(check.getByText('Say what is wrong while this condition holds')).toBeTruthy()
    expect(focused()).toBe(check.getByRole('button', { name: 'Remove check 1' }))
    await user.tab()
    expect(focused()).toBe(check.getByLabelText('Field'))
    expect((focused() as HTMLSelectElement).selectedOptions[0].text).toBe('End')
    await user.tab()
    await user.tab()
    await user.tab()
    expect(focused()).toBe(check.getByLabelText('Comparison'))
    await user.selectOptions(focused(), 'is before the answer to…')
    await user.tab()
    expect(focused()).toBe(check.getByLabelText('Other field'))
    await user.selectOptions(focused(), 'Start')
    await user.tab()
    await user.tab()
    await user.tab()
    expect(focused()).toBe(check.getByLabelText('What is said then'))
    await user.keyboard(EARLY.message)
    expect(check.queryByText(/^Choose|^Say/)).toBeNull()

    fireEvent.change(preview().getByLabelText(/^Start/), { target: { value: '2026-02-02' } })
    fireEvent.change(preview().getByLabelText(/^End/), { target: { value: '2026-02-01' } })
    await user.click(await preview().findByText('Why? End is shown, refused with these sample answers.'))
    expect(preview().getByText(/^'End' is refused because 'End' is before 'Start'; /)).toBeTruthy()
    await user.click(preview().getByRole('button', { name: 'Check sample answers' }))
    await waitFor(() => expect(errorAt('sample-case_meta.answers.end')).toContain(EARLY.message))

    await publish(user)
    await waitFor(() => expect(patches()).toHaveLength(1))
    expect(fieldOf(patches()[0], 'end')?.attrs).toEqual({ checks: [EARLY] })
  })

  it('are removed, which is announced and can be undone', async () => {
    stored.type.case_meta[0].fields[5].attrs = {
      checks: [EARLY, { when: { end: { set: true } }, message: 'No' }],
    }
    const { user } = await openConstructor()
    await user.click(row('End'))
    await press(user, 'Remove check 1')
    expect(announced()).toBe('Check 1 removed')
    expect(focused()).toBe(settings().getByRole('button', { name: 'Remove check 1' }))
    expect((settings().getByLabelText('What is said then') as HTMLInputElement).value).toBe('No')
    await user.keyboard('{Control>}z{/Control}')
    expect(settings().getByRole('group', { name: 'Check 2' })).toBeTruthy()
    const comparison = within(settings().getByRole('group', { name: 'Check 1' })).getByLabelText('Comparison')
    expect((comparison as HTMLSelectElement).selectedOptions[0].text).toBe('is before the answer to…')
  })

  it('keep their message when the last row of their condition is removed', async () => {
    stored.type.case_meta[0].fields[5].attrs = { checks: [EARLY] }
    const { user } = await openConstructor()
    await user.click(row('End'))
    await press(user, 'Remove condition 1')
    expect(settings().getByText(/Choose the field that this condition looks at/)).toBeTruthy()
    expect((settings().getByLabelText('What is said then') as HTMLInputElement).value).toBe(EARLY.message)
  })

  it('are compared with a value too, and with other answers of their kind, if only that of last time', async () => {
    const { user } = await openConstructor()
    await user.click(row('Ward'))
    await press(user, 'Add a check')
    const options = () =>
      within(settings().getByLabelText('Comparison'))
        .getAllByRole('option')
        .map((one) => one.textContent)
    expect(options()).toContain('is the answer to…')
    await user.click(row('Kind'))
    await press(user, 'Add a check')
    expect(options()).toEqual([
      'is',
      'is one of',
      'is not',
      'has a value',
      'has no value',
      'is the answer to…',
      'is not the answer to…',
    ])
  })

  it('a file is narrowed to kinds and a size', async () => {
    stored.type.case_meta[0].fields[2].type = 'file'
    const { user } = await openConstructor()
    await user.click(row('Ward'))
    await user.click(settings().getByLabelText('PDF'))
    await user.click(settings().getByLabelText('Picture'))
    await user.type(settings().getByLabelText('Most megabytes'), '5')
    await publish(user)
    await waitFor(() => expect(patches()).toHaveLength(1))
    expect(fieldOf(patches()[0], 'ward')?.attrs).toMatchObject({ accept: ['picture', 'pdf'], max_size: 5 })
  })

  it('a text is held to a named form', async () => {
    const { user } = await openConstructor()
    await user.click(row('Ward'))
    await user.selectOptions(settings().getByLabelText('Must be'), 'A web address')
    await publish(user)
    await waitFor(() => expect(patches()).toHaveLength(1))
    expect(fieldOf(patches()[0], 'ward')?.attrs?.rules).toEqual(['url'])
  })

  it('a text is held to an example, of which the pattern is made', async () => {
    const { user } = await openConstructor()
    await user.click(row('Ward'))
    await user.selectOptions(settings().getByLabelText('Must be'), 'Like an example of your own')
    expect(settings().getByText("Write the pattern of 'Ward'")).toBeTruthy()
    await user.type(settings().getByLabelText('Example'), 'Wd. 12')
    const pattern = settings().getByLabelText<HTMLInputElement>('Pattern')
    expect(pattern.value).toBe('[A-Z][a-z]\\. [0-9]{2}')
    await user.type(pattern, '*')
    expect(
      settings().getByText(/^The pattern of 'Ward' cannot be used: invalid nested repetition/),
    ).toBeTruthy()
    await user.type(preview().getByLabelText(/^Ward/), 'W')
    await user.click(preview().getByRole('button', { name: 'Check sample answers' }))
    expect(errorAt('sample-case_meta.answers.ward')).toBe('')
    await user.clear(preview().getByLabelText(/^Ward/))
    await user.type(pattern, '{Backspace}{Backspace}{Backspace}{Backspace}')
    expect(settings().getByText(/^The pattern of 'Ward' does not match its example/)).toBeTruthy()
    await user.type(pattern, '+')
    await user.type(settings().getByLabelText('Example'), '3')
    expect(pattern.value).toBe('[A-Z][a-z]\\. [0-9]+')

    await user.type(preview().getByLabelText(/^Ward/), 'Wd 1')
    await user.click(preview().getByRole('button', { name: 'Check sample answers' }))
    await waitFor(() =>
      expect(errorAt('sample-case_meta.answers.ward')).toContain('Ward must be like Wd. 123'),
    )
    await publish(user)
    await waitFor(() => expect(patches()).toHaveLength(1))
    expect(fieldOf(patches()[0], 'ward')?.attrs?.pattern).toEqual({
      matches: '[A-Z][a-z]\\. [0-9]+',
      example: 'Wd. 123',
    })
  })
})
