import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { itInFull } from '../full.ts'
import {
  CASE_META,
  openConstructor,
  row,
  serveConstructor,
  settings,
  stored,
  structure,
} from './constructorContext.tsx'

describe('a form that is nearly as large as it may be', () => {
  const withGroups = (count: number) => {
    const more = Array.from({ length: count - CASE_META.length }, (_, i) => ({
      name: `more${i}`,
      label: `More ${i}`,
      fields: [],
    }))
    stored.type = { ...stored.type, case_meta: [...CASE_META, ...more] }
  }
  beforeEach(serveConstructor)

  // Two hundred groups take half a minute in jsdom.
  itInFull('says so, and refuses what is too much', async () => {
    withGroups(199)
    const { user, notices } = await openConstructor()
    expect(structure().getByText('199 of 200 groups')).toBeTruthy()
    const add = async (label: string) => {
      await user.click(structure().getByRole('button', { name: 'Add group' }))
      await user.type(settings().getByLabelText('Label'), label)
      await user.click(settings().getByRole('button', { name: 'Add group' }))
    }
    await add('Last')
    expect(structure().getByText('200 of 200 groups: remove one before you add another')).toBeTruthy()
    await add('Too much')
    expect(settings().getByText(/^A form may have 200 groups, and this one has 200/)).toBeTruthy()
    await user.click(row('Other'))
    await user.click(settings().getByRole('button', { name: 'Duplicate this group' }))
    expect(notices.at(-1)?.text).toMatch(/^A form may have 200 groups/)
    expect(screen.queryByText('Other (copy)')).toBeNull()
  })

  it('has no more choices than it may', async () => {
    const { user } = await openConstructor()
    await user.click(row('Kind'))
    await user.click(settings().getByLabelText('New choice'))
    await user.paste(Array.from({ length: 499 }, (_, i) => `Choice ${i}`).join('\n'))
    expect(settings().getByText(/^'Kind' may have 500 choices, and these would be 501/)).toBeTruthy()
    expect(settings().queryByLabelText('Choice 3')).toBeNull()
  })
})
