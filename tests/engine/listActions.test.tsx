// @vitest-environment jsdom
import { cleanup, screen as view, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { bodyOf } from '../../src/engine/actions/body.ts'
import { open, page, serve, user } from './context.tsx'

afterEach(cleanup)

const rows = [
  { id: 7, name: 'Ann', status: 1 },
  { id: 8, name: 'Bob', status: 2 },
]
const list = (...actions: object[]) => ({
  boats: { route: '/boats', kind: 'list', title: 'Boats', source: 'boats.list', columns: ['name'], actions },
})
const answers = {
  'GET /boats/': () => ({ data: page(rows) }),
  'GET /harbours/': () => ({ data: [] }),
}
const calls = (sent: ReturnType<typeof serve>) =>
  sent.filter((s) => s.url.startsWith('/boat/')).map((s) => `${s.method} ${s.url}`)

describe('what is offered', () => {
  it('depends on the record, on the person, and on who may call', async () => {
    serve(answers)
    const retire = { label: 'Retire', call: 'boats.retire', when: { 'record.status': 1 } }
    const only = { label: 'Scrub', call: 'boats.retire', roles: ['captain'] }
    const sell = { label: 'Sell', call: 'boats.sell', form: 'sell' }
    open(list(retire, only, sell), '/boats', { person: { ...user, groups: [2] } })
    await view.findByRole('table')
    expect(view.getAllByRole('button', { name: /^(Retire|Scrub|Sell)/ }).map((b) => b.textContent)).toEqual([
      'Retire Ann',
    ])
  })

  it('is about what the row is called, where the server says so', async () => {
    const named = {
      ...answers,
      'GET /boats/': () => ({ data: page([{ ...rows[0], label: 'the red one' }]) }),
    }
    serve(named)
    open(list({ label: 'Retire', call: 'boats.retire' }), '/boats')
    expect(await view.findByRole('button', { name: 'Retire the red one' })).toBeTruthy()
  })

  it('may lead elsewhere', async () => {
    serve(answers)
    const toolbar = [{ label: 'New boat', to: '/boats/new', icon: 'plus' }]
    open({ boats: { ...list({ label: 'Open', to: '/boats/{id}' }).boats, toolbar } }, '/boats')
    await view.findByRole('table')
    expect(view.getByRole('link', { name: 'Open Ann' }).getAttribute('href')).toBe('/boats/7')
    expect(view.getByRole('link', { name: 'New boat' }).getAttribute('href')).toBe('/boats/new')
  })
})

describe('a call', () => {
  const retire = {
    label: 'Retire',
    call: 'boats.retire',
    undo: 'boats.unretire',
    done: 'Boat {id} is ashore',
  }

  it('is made once however often the button is pressed, then the list is read anew', async () => {
    let release = () => {}
    const sent = serve({
      ...answers,
      'GET /boat/7/retire/': async () => {
        await new Promise<void>((resolve) => (release = resolve))
        return { data: { id: 7 } }
      },
    })
    const { notices } = open(list(retire), '/boats')
    await view.findByRole('table')
    const button = view.getByRole('button', { name: 'Retire Ann' })
    await userEvent.dblClick(button)
    expect(button.getAttribute('aria-busy')).toBe('true')
    expect(calls(sent)).toEqual(['GET /boat/7/retire/'])
    release()
    await waitFor(() => expect(notices.map((n) => n.text)).toEqual(['Boat 7 is ashore']))
    await waitFor(() => expect(sent.filter((s) => s.url === '/boats/')).toHaveLength(2))
  })

  it('can be undone from its notice', async () => {
    const sent = serve({
      ...answers,
      'GET /boat/7/retire/': () => ({ data: { id: 7 } }),
      'GET /boat/7/unretire/': () => ({ data: { id: 7 } }),
    })
    const { notices } = open(list(retire), '/boats')
    await userEvent.click(await view.findByRole('button', { name: 'Retire Ann' }))
    await waitFor(() => expect(notices).toHaveLength(1))
    expect(notices[0].action?.label).toBe('Undo')
    notices[0].action?.run()
    await waitFor(() => expect(calls(sent)).toContain('GET /boat/7/unretire/'))
    await waitFor(() => expect(notices[1]?.text).toBe('Undone'))
  })

  it('that fails says nothing more, and can be tried again', async () => {
    const sent = serve({ ...answers, 'GET /boat/7/retire/': () => ({ status: 500 }) })
    const { notices } = open(list(retire), '/boats')
    const button = await view.findByRole('button', { name: 'Retire Ann' })
    await userEvent.click(button)
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('false'))
    await userEvent.click(button)
    await waitFor(() => expect(calls(sent)).toHaveLength(2))
    expect(notices).toEqual([])
  })

  it('may be followed by another page', async () => {
    serve({ ...answers, 'GET /boat/7/retire/': () => ({ data: { id: 7, harbour: 3 } }) })
    const { address } = open(
      // biome-ignore lint/suspicious/noThenProperty: the word of the descriptor
      list({ label: 'Retire', call: 'boats.retire', then: '/harbours/{harbour}' }),
      '/boats',
    )
    await userEvent.click(await view.findByRole('button', { name: 'Retire Ann' }))
    await waitFor(() => expect(address()).toBe('/harbours/3'))
  })
})

describe('a question', () => {
  const remove = {
    label: 'Discard',
    call: 'boats.remove',
    confirm: 'Discard {name}?',
    danger: true,
    done: 'Gone',
  }

  it('comes first, with Cancel before the deed', async () => {
    const sent = serve({ ...answers, 'DELETE /boat/7/': () => ({ status: 204 }) })
    const { notices } = open(list(remove), '/boats')
    await userEvent.click(await view.findByRole('button', { name: 'Discard Ann' }))
    const dialog = within(await view.findByRole('alertdialog', { name: 'Discard Ann' }))
    expect(dialog.getByText('Discard Ann?')).toBeTruthy()
    expect(dialog.getAllByRole('button').map((b) => b.textContent)).toEqual(['Cancel', 'Discard'])
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'))
    expect(calls(sent)).toEqual([])
    await userEvent.dblClick(dialog.getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(notices.map((n) => n.text)).toEqual(['Gone']))
    expect(calls(sent)).toEqual(['DELETE /boat/7/'])
    await waitFor(() => expect(view.queryByRole('alertdialog')).toBeNull())
  })

  it('can be answered with no, by button and by Escape', async () => {
    const sent = serve(answers)
    open(list(remove), '/boats')
    await userEvent.click(await view.findByRole('button', { name: 'Discard Ann' }))
    await userEvent.click(await view.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(view.queryByRole('alertdialog')).toBeNull())
    await userEvent.click(view.getByRole('button', { name: 'Discard Ann' }))
    await view.findByRole('alertdialog')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'))
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(view.queryByRole('alertdialog')).toBeNull())
    expect(calls(sent)).toEqual([])
  })
})

describe('a form', () => {
  const sell = {
    label: 'Sell',
    call: 'boats.sell',
    form: 'sell',
    values: { boat: '{id}' },
    done: '{name} is sold',
  }
  const openForm = async () => {
    await userEvent.click(await view.findByRole('button', { name: 'Sell Ann' }))
    return within(await view.findByRole('dialog', { name: 'Sell Ann' }, { timeout: 10_000 }))
  }

  it('asks for the body, judges it, and sends it with what is fixed and a key', async () => {
    const sent = serve({ ...answers, 'POST /boat/7/sell/': () => ({ data: { id: 7 } }) })
    const { notices } = open(list(sell), '/boats')
    const dialog = await openForm()
    await userEvent.click(dialog.getByRole('button', { name: 'Sell' }))
    expect(calls(sent)).toEqual([])
    expect(dialog.getAllByText('Enter buyer').length).toBeGreaterThan(0)
    await userEvent.type(dialog.getByRole('textbox', { name: /Buyer/ }), 'Cid')
    await userEvent.dblClick(dialog.getByRole('button', { name: 'Sell' }))
    await waitFor(() => expect(notices.map((n) => n.text)).toEqual(['Ann is sold']))
    expect(calls(sent)).toEqual(['POST /boat/7/sell/'])
    const post = sent.find((s) => s.method === 'POST')
    expect(post?.body).toEqual({ boat: 7, buyer: 'Cid' })
    expect(post?.headers['Idempotency-Key']).toMatch(/^[\da-f]{32}$/)
    await waitFor(() => expect(view.queryByRole('dialog')).toBeNull())
  })

  it('stays open with what the server has against it, and with what was typed', async () => {
    const sent = serve({
      ...answers,
      'POST /boat/7/sell/': () => ({ status: 400, data: { buyer: ['Cid has no money'] } }),
    })
    open(list(sell), '/boats')
    const dialog = await openForm()
    await userEvent.type(dialog.getByRole('textbox', { name: /Buyer/ }), 'Cid{Enter}')
    await waitFor(() => expect(dialog.getAllByText('Cid has no money').length).toBeGreaterThan(0))
    expect((dialog.getByRole('textbox', { name: /Buyer/ }) as HTMLInputElement).value).toBe('Cid')
    await userEvent.click(dialog.getByRole('button', { name: 'Sell' }))
    await waitFor(() => expect(calls(sent)).toHaveLength(2))
    const keys = sent.filter((s) => s.method === 'POST').map((s) => s.headers['Idempotency-Key'])
    expect(keys[0]).toBe(keys[1])
  })
})

it('a fixed body keeps the type of a field that stands alone', () => {
  const record = { id: 7, name: 'Ann' }
  expect(bodyOf({ a: '{id}', b: 'Boat {id}: {name}', c: true, d: '{none}' }, record)).toEqual({
    a: 7,
    b: 'Boat 7: Ann',
    c: true,
    d: null,
  })
  expect(bodyOf(undefined, record)).toBeUndefined()
  expect(bodyOf({ a: 1 }, record, { a: 2 })).toEqual({ a: 2 })
})
