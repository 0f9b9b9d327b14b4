import { screen, waitFor, within } from '@testing-library/react'
import type userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { When } from '../../src/contract/when.ts'
import {
  announced,
  CASE_META,
  fieldOf,
  openConstructor,
  patches,
  publish,
  row,
  serveConstructor,
  settings,
  stored,
} from './constructorContext.tsx'

beforeEach(serveConstructor)

type User = ReturnType<typeof userEvent.setup>

const focused = () => document.activeElement as HTMLElement
const group = (name: string) => within(settings().getByRole('group', { name }))
const condition = (name: string) => group(name)
const press = async (user: User, name: string) => {
  settings().getByRole('button', { name }).focus()
  await user.keyboard('{Enter}')
}
/** Chooses as the keyboard does: in the select that has the focus. */
const choose = (user: User, label: string) => user.selectOptions(focused(), label)

/** The condition of 'Either' is this when the constructor opens. */
async function openWith(when: When) {
  const [first, other] = structuredClone(CASE_META)
  other.fields[1].attrs!.when = when
  stored.type = { ...stored.type, case_meta: [first, other] }
  const opened = await openConstructor()
  await opened.user.click(row('Either'))
  return opened
}

async function published(user: User) {
  await publish(user)
  await waitFor(() => expect(patches()).toHaveLength(1))
  return fieldOf(patches()[0], 'either')?.attrs?.when
}

describe('the editor of a condition', () => {
  it('shows a group of alternatives and changes one', async () => {
    const { user } = await openWith({ ward: { set: true }, any: [{ is_urgent: 'yes' }, { kind: 'x' }] })
    expect(settings().getByRole('group', { name: 'And any of these' })).toBeTruthy()
    const second = condition('Condition 1 of alternative 2')
    await user.selectOptions(second.getByLabelText('Value'), 'Why')
    expect(await published(user)).toEqual({
      ward: { set: true },
      any: [{ is_urgent: 'yes' }, { kind: 'y' }],
    })
  })

  it('builds a group with the keyboard alone; the focus goes to what was added', async () => {
    const { user } = await openWith({ ward: { set: true } })
    await press(user, 'Add a group: any of these')
    expect(condition('Condition 1 of alternative 1').getByLabelText('Field')).toBe(focused())
    await choose(user, 'Urgent')
    await user.tab()
    await user.tab()
    await choose(user, 'is')
    await user.tab()
    await choose(user, 'Yes')
    await press(user, 'Add to the condition of alternative 1')
    expect(condition('Condition 2 of alternative 1').getByLabelText('Field')).toBe(focused())
    await choose(user, 'Kind')
    await user.selectOptions(
      condition('Condition 2 of alternative 1').getByLabelText('Comparison'),
      'has a value',
    )
    condition('Condition 1 of alternative 2').getByLabelText('Field').focus()
    await choose(user, 'Kind')
    await user.selectOptions(condition('Condition 1 of alternative 2').getByLabelText('Value'), 'Ex')
    await press(user, 'Add an alternative')
    expect(condition('Condition 1 of alternative 3').getByLabelText('Field')).toBe(focused())
    await press(user, 'Remove condition 1 of alternative 3')
    expect(announced()).toBe('Alternative 3 removed')
    expect(condition('Condition 1 of alternative 2').getByLabelText('Field')).toBe(focused())
    expect(settings().queryByRole('button', { name: 'Add a group: any of these' })).toBeNull()
    expect(await published(user)).toEqual({
      ward: { set: true },
      any: [{ is_urgent: 'yes', kind: { set: true } }, { kind: 'x' }],
    })
  })

  it('makes a row one of two alternatives, and undoes it', async () => {
    const { user } = await openWith({ is_urgent: 'yes', ward: { set: true } })
    await press(user, 'Add an alternative to condition 1')
    expect(settings().getByRole('group', { name: 'And any of these' })).toBeTruthy()
    expect(condition('Condition 1 of alternative 2').getByLabelText('Field')).toBe(focused())
    await choose(user, 'Kind')
    await user.selectOptions(condition('Condition 1 of alternative 2').getByLabelText('Value'), 'Ex')
    await user.keyboard('{Control>}zzz{/Control}')
    expect(announced()).toBe('Undone: Condition, Either')
    expect(settings().queryByRole('group', { name: 'And any of these' })).toBeNull()
    expect(
      (condition('Condition 1').getByLabelText('Value') as HTMLSelectElement).selectedOptions[0].text,
    ).toBe('Yes')
    await user.keyboard('{Control>}yyy{/Control}')
    expect(await published(user)).toEqual({
      any: [{ is_urgent: 'yes' }, { kind: 'x' }],
      ward: { set: true },
    })
  })

  it('puts the last alternative among the other rows, unless a field would be named twice', async () => {
    const { user } = await openWith({
      ward: { set: true },
      any: [{ is_urgent: 'yes', kind: 'x' }, { kind: 'y' }],
    })
    await press(user, 'Remove condition 1 of alternative 2')
    expect(settings().queryByRole('group', { name: 'And any of these' })).toBeNull()
    expect(settings().getByRole('group', { name: 'Condition 3' })).toBeTruthy()
    expect(await published(user)).toEqual({ ward: { set: true }, is_urgent: 'yes', kind: 'x' })
  })

  it('keeps a group of one alternative that names a field of another row', async () => {
    const { user } = await openWith({ kind: { set: true }, any: [{ kind: { not: 'y' } }, { ward: 'Elm' }] })
    await press(user, 'Remove condition 1 of alternative 2')
    expect(await published(user)).toEqual({ kind: { set: true }, any: [{ kind: { not: 'y' } }] })
  })

  it('removes an alternative of several rows and the whole group', async () => {
    const { user } = await openWith({
      ward: { set: true },
      any: [{ is_urgent: 'yes', kind: 'x' }, { kind: 'y' }, { is_urgent: 'no' }],
    })
    await press(user, 'Remove alternative 1')
    expect(announced()).toBe('Alternative 1 removed')
    expect(condition('Condition 1 of alternative 1').getByLabelText('Field')).toBe(focused())
    await press(user, 'Remove the group of alternatives')
    expect(announced()).toBe('Group of alternatives removed')
    expect(condition('Condition 1').getByLabelText('Field')).toBe(focused())
    expect(await published(user)).toEqual({ ward: { set: true } })
  })

  it('says of an alternative without a field that one must be chosen', async () => {
    const { user } = await openWith({ ward: { set: true } })
    await press(user, 'Add a group: any of these')
    expect(settings().getByText(/Choose the field that this condition looks at/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Publish…' }))
    expect(patches()).toEqual([])
  })
})
