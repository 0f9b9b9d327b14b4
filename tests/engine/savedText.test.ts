import { describe, expect, test } from 'vitest'
import type { FormScreen } from '../../src/contract/generated.ts'
import { countedText, savedFieldsText, savedText } from '../../src/engine/form/store/savedText.ts'
import { contract } from '../loadedContract.ts'

const LOGGED = (contract.screens['log-action'] as FormScreen).done
const CALL = { type_label: 'Telephone call', client_name: 'Deirdre Dubois', time_taken: 900 }

describe('the notice after a new record is saved', () => {
  test.each([
    [CALL, 'Saved: telephone call with Deirdre Dubois, 15 minutes'],
    [{ ...CALL, time_taken: 4500 }, 'Saved: telephone call with Deirdre Dubois, 1 hour 15 minutes'],
    [{ ...CALL, client_name: null, time_taken: 0 }, 'Saved: telephone call, 0 minutes'],
    [{ ...CALL, type_label: 'IMCA visit', time_taken: null }, 'Saved: IMCA visit with Deirdre Dubois'],
    [{}, 'Saved: action'],
  ])('names what the reply %j says', (reply, text) => {
    expect(savedText(contract, 'actions.create', LOGGED, reply)).toBe(text)
  })
})

describe('the notice after any new record', () => {
  const REPLY = {
    id: 70,
    client_name: 'Ann Ames',
    first_name: 'Ann',
    last_name: 'Ames',
    issue_type_label: 'Housing',
    type_label: 'Visit',
    time_taken: 900,
  }
  const screens = Object.entries(contract.screens).flatMap(([name, one]) =>
    one.kind === 'wizard' || (one.kind === 'form' && one.save && !one.read)
      ? [{ name, save: one.save!, title: one.title, done: one.done }]
      : [],
  )
  test.each(screens)('of $name says what was saved', ({ save, title, done }) => {
    for (const reply of [REPLY, {}]) {
      const text = savedText(contract, save, done, reply)
      expect(text).toMatch(/^Saved: [a-z]/)
      expect(text).not.toMatch(/[{}_]|undefined|null| $/)
      expect(text.toLowerCase()).not.toBe(`saved: ${title.toLowerCase()}`)
    }
  })
  test('names the record of a new case, issue and person', () => {
    const textOf = (name: string) => {
      const { save, done } = screens.find((one) => one.name === name)!
      return savedText(contract, save, done, REPLY)
    }
    expect(['new-case', 'quick-case', 'case-new-issue', 'new-staff'].map(textOf)).toEqual([
      'Saved: case 70 of Ann Ames',
      'Saved: case 70 of Ann Ames',
      'Saved: issue 70 of Ann Ames: Housing',
      'Saved: account of Ann Ames',
    ])
  })
})

describe('the notice after changes are saved', () => {
  const field = (name: string) => ({ name, label: `Label ${name}`, type: 'text' as const })
  const group = (names: string[]) => ({ name: 'g', label: '', fields: names.map(field) })
  const sections = [
    { key: 'a', at: '', groups: [group(['x', 'y'])] },
    { key: 'b', at: 'answers', groups: [group(['p', 'q', 'r'])] },
  ]
  test.each([
    [{ x: 1 }, 'Saved: Label x'],
    [{ answers: { q: null } }, 'Saved: Label q'],
    [{ x: 1, y: 2, answers: { p: 1, q: 1, r: 1 } }, 'Saved: Label x, Label y, Label p and 2 more'],
    [{ other: 1 }, 'Saved'],
  ])('names the fields of %j', (sent, text) => {
    expect(savedFieldsText(sections, sent)).toBe(text)
  })

  const old = { value: 'a', since: '2026-06-04' }
  test.each([
    [{}, {}, []],
    [{}, { p: old }, ['No longer counted: Label p']],
    [{ p: old }, { p: old }, []],
    [{ p: old }, { p: { ...old, value: 'b' } }, ['No longer counted: Label p']],
    [{ p: old, gone: old }, { gone: old }, ['Counted again: Label p']],
    [{ q: old }, {}, []],
    [{}, { x: old, p: old, q: old, r: old }, ['No longer counted: Label x, Label p, Label q and 1 more']],
  ])(
    'names the answers that no longer count and those that count again, from %j to %j',
    (before, after, texts) => {
      const reply = { hidden_answers: after, answers: { p: 'a' } }
      expect(countedText(sections, { hidden_answers: before }, reply)).toEqual(texts)
    },
  )
})
