import type { Page } from 'playwright-core'

/** An unanswered question: its type, which selects the way to answer it, and the id of its control. */
interface Question {
  type: string
  id: string
}
type Answer = (page: Page, id: string) => Promise<void>

const TEXT = 'Zoë <b>"O\'Neill"</b> & 李'
const ROUNDS = 8

const byId = (page: Page, id: string) => page.locator(`[id="${id}"]`)
const typed =
  (text: string): Answer =>
  (page, id) =>
    byId(page, id).fill(text)
const pick: Answer = async (page, id) => {
  const first = byId(page, id).locator('option:not([value=""])').first()
  // The previous answer may have emptied the list.
  if ((await first.count()) === 0) return
  await byId(page, id).selectOption(await first.getAttribute('value'))
}
/** Clicks the label, as a person does. */
const tick: Answer = (page, id) => byId(page, id).locator('xpath=..').click()

/** Fields whose date must be later than that of another one. */
const ENDS = /_(expires|ends|to|due|deadline)$/

function dayAfter(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

const ANSWERS: Record<string, Answer> = {
  text: typed(TEXT),
  textarea: typed(`${TEXT}\nsecond line\n\n  indented`),
  date: (page, id) => byId(page, id).fill(ENDS.test(id) ? dayAfter(30) : dayAfter(0)),
  datetime: typed('2026-01-15T14:30'),
  integer: typed('12'),
  phone: typed('01632 960123'),
  postcode: typed('AL10 8XG'),
  duration: typed('1:15'),
  decimal: typed('12.5'),
  money: typed('1,234.50'),
  year: typed('2026'),
  time: typed('2:30 pm'),
  email: typed('zoe@example.org'),
  'nhs-number': typed('943 476 5919'),
  select: pick,
  yesno: tick,
  scale: tick,
  multiselect: tick,
  repeat: (page, id) => byId(page, id).locator('.repeat-add').click(),
}

/** Selects a case type by a part of its own or its service's name, which also selects the service. */
export async function chooseCaseType(page: Page, name: string): Promise<void> {
  const box = page.getByRole('combobox', { name: 'Case type' })
  await box.fill(name)
  await page.getByRole('option', { name }).first().click()
}

/** Answers every unanswered question of the page's form, and those that become visible, until none is left. */
export async function fillForm(page: Page): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await page.waitForFunction(() => !document.querySelector('main .form [aria-busy="true"]'))
    const open = await page.evaluate(unanswered)
    if (open.length === 0) return
    for (const { type, id } of open) {
      const give = ANSWERS[type]
      if (!give) throw new Error(`Nobody knows how to answer ${id}, a ${type}`)
      if (await byId(page, id).count()) await give(page, id)
    }
  }
  throw new Error(`Still unanswered: ${JSON.stringify(await page.evaluate(unanswered))}`)
}

/** Reads the answers in the page's form: path from the record's root (`answers.ward`) → value of its control. */
export function readForm(page: Page): Promise<Record<string, string>> {
  return page.evaluate(answered)
}

/** Reads the answers of a record in read mode, by opening each of its sections. */
export async function readSections(page: Page): Promise<Record<string, string>> {
  const buttons = page.getByRole('button', { name: /^Change / })
  // The cards below the first ones are rendered later, at low priority (useDeferredValue).
  await page.waitForFunction(
    () => document.querySelectorAll('.card').length === document.querySelectorAll('.section-index li').length,
  )
  const all: Record<string, string> = {}
  for (let i = 0; i < (await buttons.count()); i++) {
    await buttons.nth(i).click()
    await page.waitForFunction(() => !document.querySelector('main .form [aria-busy="true"]'))
    Object.assign(all, await readForm(page))
    await page.getByRole('button', { name: 'Cancel' }).click()
  }
  return all
}

// These two functions run in the page, so they cannot use anything from this file.
function unanswered(): Question[] {
  const isFilled = (element: Element) =>
    element.matches('fieldset, .matrix-row')
      ? element.querySelector(':checked, .repeat-row') !== null
      : (element as HTMLInputElement).value !== ''
  const found: Question[] = []
  for (const field of document.querySelectorAll('main .form .field')) {
    const isRow = field.matches('.matrix-row')
    const type = isRow
      ? 'yesno'
      : /field-(text|textarea|date|datetime|integer|phone|postcode|duration|decimal|money|year|time|scale|select|yesno|multiselect|repeat)( |$)/.exec(
          field.className,
        )?.[1]
    if (!type) continue
    const control = field.matches('fieldset, .matrix-row')
      ? field
      : field.querySelector('input[id], select[id], textarea[id]')
    const isEmptyList = control?.matches('select') && !control.querySelector('option:not([value=""])')
    if (!control || isEmptyList || isFilled(control)) continue
    const inside = control.querySelector('input[type="radio"], input[type="checkbox"]')
    const asked = type === 'text' ? (/\.(email|nhs_number)$/.exec(control.id)?.[1] ?? type) : type
    found.push({ type: asked.replace('_', '-'), id: (type === 'repeat' ? control : (inside ?? control)).id })
  }
  return found
}

function answered(): Record<string, string> {
  const found: Record<string, string> = {}
  for (const control of document.querySelectorAll<HTMLInputElement>(
    'main .form :is(input, select, textarea)[id]',
  )) {
    const path = control.id.replace(/^[^.]*\./, '')
    const isChoice = control.type === 'radio' || control.type === 'checkbox'
    if (isChoice ? control.checked : control.value !== '') found[path] = isChoice ? 'chosen' : control.value
  }
  return found
}
