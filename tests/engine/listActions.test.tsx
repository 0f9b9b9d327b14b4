import { act, screen as view, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { bodyOf } from '../../src/engine/actions/body.ts'
import { contract } from './boats.ts'
import { fakeServer, page } from './fakeServer.ts'
import { open, person } from './open.tsx'

const rows = [
  { id: 7, name: 'Ann', status: 1 },
  { id: 8, name: 'Bob', status: 2 },
]
const list = (...actions: object[]) => ({
  boats: { route: '/boats', kind: 'list', title: 'Boats', source: 'boats.list', columns: ['name'], actions },
})
const handlers = {
  'GET /boats/': page(rows),
  'GET /harbours/': { data: [] },
}
const calls = () =>
  fakeServer.requests
    .filter((one) => one.path.startsWith('/boat/'))
    .map(({ method, path }) => `${method} ${path}`)

beforeEach(() => fakeServer.use(handlers))

describe('an action', () => {
  it('is offered by the record, the user’s role and the roles of the call', async () => {
    const retire = { label: 'Retire', call: 'boats.retire', when: { 'record.status': 1 } }
    const only = { label: 'Scrub', call: 'boats.retire', roles: ['captain'] }
    const sell = { label: 'Sell', call: 'boats.sell', form: 'sell' }
    await open(list(retire, only, sell), '/boats', { person: person([2]) })
    await view.findByRole('table')
    expect(view.getAllByRole('button', { name: /^(Retire|Scrub|Sell)/ }).map((b) => b.textContent)).toEqual([
      'Retire Ann',
    ])
  })

  it('is named by the label of the row, if the server sends one', async () => {
    fakeServer.use({ 'GET /boats/': page([{ ...rows[0], label: 'the red one' }]) })
    await open(list({ label: 'Retire', call: 'boats.retire' }), '/boats')
    expect(await view.findByRole('button', { name: 'Retire the red one' })).toBeTruthy()
  })

  it('may be a link', async () => {
    const toolbar = [{ label: 'New boat', to: '/boats/new', icon: 'plus' }]
    await open({ boats: { ...list({ label: 'Open', to: '/boats/{id}' }).boats, toolbar } }, '/boats')
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

  it('is made once on a double click, then the list is read again', async () => {
    let release = () => {}
    fakeServer.use({
      'GET /boat/7/retire/': async () => {
        await new Promise<void>((resolve) => (release = resolve))
        return { data: { id: 7 } }
      },
    })
    const { notices } = await open(list(retire), '/boats')
    await view.findByRole('table')
    const button = view.getByRole('button', { name: 'Retire Ann' })
    await userEvent.dblClick(button)
    expect(button.getAttribute('aria-busy')).toBe('true')
    expect(calls()).toEqual(['GET /boat/7/retire/'])
    release()
    await waitFor(() => expect(notices.map((n) => n.text)).toEqual(['Boat 7 is ashore']))
    await waitFor(() => expect(fakeServer.requestsTo('GET /boats/')).toHaveLength(2))
  })

  it('can be undone from its notice', async () => {
    fakeServer.use({
      'GET /boat/7/retire/': { data: { id: 7 } },
      'GET /boat/7/unretire/': { data: { id: 7 } },
    })
    const { notices } = await open(list(retire), '/boats')
    await userEvent.click(await view.findByRole('button', { name: 'Retire Ann' }))
    await waitFor(() => expect(notices).toHaveLength(1))
    expect(notices[0].action?.label).toBe('Undo')
    notices[0].action?.run()
    await waitFor(() => expect(calls()).toContain('GET /boat/7/unretire/'))
    await waitFor(() => expect(notices[1]?.text).toBe('Undone'))
  })

  it('that fails shows no notice of its own, and can be retried', async () => {
    fakeServer.use({ 'GET /boat/7/retire/': { status: 500 } })
    const { notices } = await open(list(retire), '/boats')
    const button = await view.findByRole('button', { name: 'Retire Ann' })
    await userEvent.click(button)
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('false'))
    await userEvent.click(button)
    await waitFor(() => expect(calls()).toHaveLength(2))
    expect(notices).toEqual([])
  })

  it('may navigate to another page', async () => {
    fakeServer.use({ 'GET /boat/7/retire/': { data: { id: 7, harbour: 3 } } })
    const { address } = await open(
      list({ label: 'Retire', call: 'boats.retire', then: '/harbours/{harbour}' }),
      '/boats',
    )
    await userEvent.click(await view.findByRole('button', { name: 'Retire Ann' }))
    await waitFor(() => expect(address()).toBe('/harbours/3'))
  })

  it('that ends after the person has left navigates nowhere', async () => {
    let release = () => {}
    fakeServer.use({
      'GET /boat/7/retire/': async () => {
        await new Promise<void>((resolve) => (release = resolve))
        return { data: { id: 7, harbour: 3 } }
      },
    })
    const { address, notices, router } = await open(
      list({ ...retire, then: '/harbours/{harbour}' }),
      '/boats',
    )
    await userEvent.click(await view.findByRole('button', { name: 'Retire Ann' }))
    await act(() => router.navigate('/elsewhere'))
    release()
    await waitFor(() => expect(notices).toHaveLength(1))
    expect(address()).toBe('/elsewhere')
  })
})

describe('a selection', () => {
  const retireAll = { label: 'Retire all', call: 'boats.retireAll', values: { ids: '{ids}' } }
  const openSelection = (action: object) => {
    const endpoint = { call: 'POST /boats/retire/', does: 'retire boats', touches: ['boat'], roles: 'staff' }
    return open({ boats: { ...list().boats, selection: [action] } }, '/boats', {
      contract: { ...contract, endpoints: { ...contract.endpoints, 'boats.retireAll': endpoint as never } },
    })
  }
  const box = (name: string) => view.getByRole<HTMLInputElement>('checkbox', { name: `Select ${name}` })

  it('keeps the rows that were ticked while its call was under way', async () => {
    let release = () => {}
    fakeServer.use({
      'POST /boats/retire/': async () => {
        await new Promise<void>((resolve) => (release = resolve))
        return { data: {} }
      },
    })
    await openSelection(retireAll)
    await userEvent.click(await view.findByRole('checkbox', { name: 'Select Ann 7' }))
    await userEvent.click(await view.findByRole('button', { name: /^Retire all/ }))
    await userEvent.click(box('Bob 8'))
    release()
    await waitFor(() => expect(box('Ann 7').checked).toBe(false))
    expect(box('Bob 8').checked).toBe(true)
  })

  it('loses the rows that an action of a menu is done with', async () => {
    fakeServer.use({ 'POST /boats/retire/': { data: {} } })
    await openSelection({ label: 'More', menu: [retireAll] })
    await userEvent.click(await view.findByRole('checkbox', { name: 'Select Ann 7' }))
    await userEvent.click(await view.findByRole('button', { name: /^More/ }))
    await userEvent.click(view.getByRole('menuitem', { name: 'Retire all' }))
    await waitFor(() => expect(box('Ann 7').checked).toBe(false))
  })
})

describe('a confirmation', () => {
  const remove = {
    label: 'Discard',
    call: 'boats.remove',
    confirm: 'Discard {name}?',
    danger: true,
    done: 'Gone',
  }

  it('is shown before the call, with the focus on Cancel', async () => {
    fakeServer.use({ 'DELETE /boat/7/': { status: 204 } })
    const { notices } = await open(list(remove), '/boats')
    await userEvent.click(await view.findByRole('button', { name: 'Discard Ann' }))
    const dialog = within(await view.findByRole('alertdialog', { name: 'Discard Ann' }))
    expect(dialog.getByText('Discard Ann?')).toBeTruthy()
    expect(dialog.getAllByRole('button').map((b) => b.textContent)).toEqual(['Cancel', 'Discard'])
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'))
    expect(calls()).toEqual([])
    await userEvent.dblClick(dialog.getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(notices.map((n) => n.text)).toEqual(['Gone']))
    expect(calls()).toEqual(['DELETE /boat/7/'])
    await waitFor(() => expect(view.queryByRole('alertdialog')).toBeNull())
  })

  it('can be cancelled by button and by Escape', async () => {
    await open(list(remove), '/boats')
    await userEvent.click(await view.findByRole('button', { name: 'Discard Ann' }))
    await userEvent.click(await view.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(view.queryByRole('alertdialog')).toBeNull())
    await userEvent.click(view.getByRole('button', { name: 'Discard Ann' }))
    await view.findByRole('alertdialog')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'))
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(view.queryByRole('alertdialog')).toBeNull())
    expect(calls()).toEqual([])
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
    return within(await view.findByRole('dialog', { name: 'Sell Ann' }))
  }

  it('validates the body, and sends it with the fixed values and an idempotency key', async () => {
    fakeServer.use({ 'POST /boat/7/sell/': { data: { id: 7 } } })
    const { notices } = await open(list(sell), '/boats')
    const dialog = await openForm()
    await userEvent.click(dialog.getByRole('button', { name: 'Sell' }))
    expect(calls()).toEqual([])
    expect(dialog.getAllByText('Enter buyer').length).toBeGreaterThan(0)
    await userEvent.type(dialog.getByRole('textbox', { name: /Buyer/ }), 'Cid')
    await userEvent.dblClick(dialog.getByRole('button', { name: 'Sell' }))
    await waitFor(() => expect(notices.map((n) => n.text)).toEqual(['Ann is sold']))
    expect(calls()).toEqual(['POST /boat/7/sell/'])
    const [post] = fakeServer.requestsTo('POST /boat/7/sell/')
    expect(post.body).toEqual({ boat: 7, buyer: 'Cid' })
    expect(post.headers['Idempotency-Key']).toMatch(/^[\da-f]{32}$/)
    await waitFor(() => expect(view.queryByRole('dialog')).toBeNull())
  })

  it('stays open with the server’s validation errors and the typed values', async () => {
    fakeServer.use({
      'POST /boat/7/sell/': { status: 400, data: { buyer: ['Cid has no money'] } },
    })
    await open(list(sell), '/boats')
    const dialog = await openForm()
    await userEvent.type(dialog.getByRole('textbox', { name: /Buyer/ }), 'Cid{Enter}')
    await waitFor(() => expect(dialog.getAllByText('Cid has no money').length).toBeGreaterThan(0))
    expect((dialog.getByRole('textbox', { name: /Buyer/ }) as HTMLInputElement).value).toBe('Cid')
    await userEvent.click(dialog.getByRole('button', { name: 'Sell' }))
    await waitFor(() => expect(calls()).toHaveLength(2))
    const keys = fakeServer.requestsTo('POST /boat/7/sell/').map((one) => one.headers['Idempotency-Key'])
    expect(keys[0]).toBe(keys[1])
  })
})

it('a fixed body keeps the type of a placeholder that stands alone', () => {
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
