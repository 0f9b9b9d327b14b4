import { describe, expect, test } from 'vitest'
import type { FormScreen } from '../../src/contract/generated.ts'
import { savedFieldsText, savedText } from '../../src/engine/form/savedText.ts'
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
})
