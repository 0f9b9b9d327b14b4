import { act } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  CASE_META,
  openConstructor,
  preview,
  row,
  rows,
  serveConstructor,
  settings,
  stored,
  structure,
} from './constructorContext.tsx'

/** Stands in for the browser's observer: a test says what has come near. */
class FakeObserver {
  static notify: IntersectionObserverCallback = () => {}
  static observed = new Set<Element>()
  constructor(notify: IntersectionObserverCallback) {
    FakeObserver.notify = notify
  }
  observe(element: Element) {
    FakeObserver.observed.add(element)
  }
  unobserve(element: Element) {
    FakeObserver.observed.delete(element)
  }
}

describe('a form of hundreds of fields', () => {
  const fields = Array.from({ length: 310 }, (_, i) => ({
    name: `question${i + 1}`,
    label: `Field ${i + 1}.`,
    type: 'text' as const,
    attrs: { is_on: true },
  }))
  const setNear = (element: Element, isIntersecting: boolean) =>
    act(() => {
      if (FakeObserver.observed.has(element))
        FakeObserver.notify(
          [
            { target: element, isIntersecting, boundingClientRect: { height: 800 } },
          ] as unknown as IntersectionObserverEntry[],
          {} as IntersectionObserver,
        )
    })
  const parts = () => [...document.querySelectorAll('.constructor-structure ul ul')]
  const open = async () => {
    const opened = await openConstructor()
    setNear(parts()[0], true)
    return opened
  }
  beforeEach(() => {
    serveConstructor()
    stored.type = { ...stored.type, case_meta: [{ ...CASE_META[0], fields }] }
    vi.stubGlobal('IntersectionObserver', FakeObserver)
  })
  afterEach(() => vi.unstubAllGlobals())

  it('draws the rows that are near, says how many there are, and keeps the height of the others', async () => {
    await open()
    expect(rows()).toHaveLength(1 + 20)
    expect(row('Field 20.').closest('li')!.getAttribute('aria-posinset')).toBe('20')
    expect(row('Field 20.').closest('li')!.getAttribute('aria-setsize')).toBe('310')
    expect(parts()[1].textContent).toBe('20 fields further on')
    setNear(parts()[0], false)
    expect(rows()).toHaveLength(1)
    expect((parts()[0] as HTMLElement).style.height).toBe('800px')
  })

  it('is walked by the arrow keys into what is not drawn yet, in both directions', async () => {
    const { user } = await open()
    row('Field 20.').focus()
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement!.textContent).toMatch(/^Field 21\./)
    setNear(parts()[0], false)
    await user.keyboard('{ArrowUp}')
    expect(document.activeElement!.textContent).toMatch(/^Field 20\./)
  })

  it('ticks what is not drawn between two rows, and moves a row into a part that is not near', async () => {
    const { user } = await open()
    setNear(parts()[4], true)
    await user.click(structure().getByRole('button', { name: 'Choose several' }))
    await user.click(structure().getByRole('checkbox', { name: 'Choose Field 5.' }))
    await user.keyboard('{Shift>}')
    await user.click(structure().getByRole('checkbox', { name: 'Choose Field 90.' }))
    await user.keyboard('{/Shift}')
    expect(settings().getByRole('heading', { level: 2 }).textContent).toBe('86 chosen')
    await user.click(structure().getByRole('button', { name: 'Choose several' }))
    await user.click(row('Field 20.'))
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(document.activeElement!.textContent).toMatch(/^Field 20\./)
    expect(row('Field 20.').closest('li')!.getAttribute('aria-posinset')).toBe('21')
  })

  it('finds rows wherever they are, and draws the selected field in the preview', async () => {
    const { user } = await open()
    expect(preview().queryByLabelText(/^Field 305\./)).toBeNull()
    await user.type(structure().getByRole('searchbox'), 'Field 305.')
    setNear(parts()[0], true)
    expect(rows()).toEqual(['Referral', 'Field 305.'])
    await user.click(row('Field 305.'))
    expect(await preview().findByLabelText(/^Field 305\./)).toBeTruthy()
  })

  it('draws the groups that are near, and walks into those that are not', async () => {
    const groups = Array.from({ length: 31 }, (_, g) => ({
      ...CASE_META[0],
      name: `part${g + 1}`,
      label: `Part ${g + 1}.`,
      fields: fields.slice(10 * g, 10 * g + 10),
    }))
    stored.type = { ...stored.type, case_meta: groups }
    const { user } = await openConstructor()
    const parts = () => [...document.querySelectorAll('.constructor-structure > ul')]
    expect(parts().map((part) => part.textContent)).toEqual(['20 groups further on', '11 groups further on'])
    setNear(parts()[0], true)
    expect(rows()).toEqual(groups.slice(0, 20).map(({ label }) => label))
    expect(row('Part 20.').closest('li')!.getAttribute('aria-setsize')).toBe('31')
    row('Part 20.').focus()
    await user.keyboard('{ArrowDown}'.repeat(11))
    expect(document.activeElement!.textContent).toMatch(/^Part 21\./)
    await user.keyboard('{ArrowUp}')
    expect(document.activeElement!.textContent).toMatch(/^Field 200\./)
  })

  it('finds the field of a condition by typing, and keeps it until another is chosen', async () => {
    const { user } = await open()
    await user.click(row('Field 20.'))
    await user.click(settings().getAllByRole('radio', { name: 'Only when…' }).at(-1)!)
    const field = settings().getByRole('combobox', { name: 'Field' }) as HTMLInputElement
    await user.type(field, 'Field 30.{Enter}')
    await user.clear(field)
    await user.type(field, 'nothing like it')
    await user.tab()
    expect(field.value).toBe('Field 30.')
  })
})
