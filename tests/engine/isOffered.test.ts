import { describe, expect, it } from 'vitest'
import type { Action } from '../../src/contract/generated.ts'
import { isOffered } from '../../src/engine/actions/isOffered.ts'
import { contract } from '../loadedContract.ts'

const user = { id: 1, groups: [3] }
const offered = (action: Action, record: object, mayChange = true) =>
  isOffered(contract, action, { record: { ...record }, user, mayChange })

const CHANGES: Action[] = [
  { label: 'Retire', call: 'clients.retire' },
  { label: 'Log action', sidePanel: 'log-action' },
  { label: 'Refer to another hub', to: '/clients/{id}/refer' },
  { label: 'New Case', to: '/case?client={id}' },
  { label: 'New issue', to: '/cases/{id}/issues/new?from=case' },
]
const READS: Action[] = [
  { label: 'Why can I see this?', explains: 'clients.whyVisible' },
  { label: 'Who can see this?', to: '/clients/{id}/who-can-see' },
  { label: 'Print', print: true },
]

describe('an action', () => {
  it.each(CHANGES)(
    '$label is offered neither on a record nor in the page of one that is only read',
    (action) => {
      expect(offered(action, { may_change: true })).toBe(true)
      expect(offered(action, {})).toBe(true)
      expect(offered(action, { may_change: false })).toBe(false)
      expect(offered(action, { may_change: true }, false)).toBe(false)
    },
  )

  it.each(READS)('$label is offered on what is only read, too', (action) => {
    expect(offered(action, { may_change: false }, false)).toBe(true)
  })
})
