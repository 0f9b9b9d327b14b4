import { expect } from 'vitest'
import { itInFull } from '../full.ts'
import { expectAccessible } from './accessible.ts'
import { describeProduct, waitForIdle } from './context.ts'

const e2e = describeProduct()

itInFull('an advocate prints the blank form of a case type on A4', async () => {
  const page = await e2e.signIn('advocate')
  await page.goto('/case')
  await page.getByRole('link', { name: 'Blank form to print' }).click()
  // The page before has a field of this name too.
  await page.getByRole('heading', { level: 1, name: 'Blank form to print' }).waitFor()
  const caseType = page.getByLabel('Case type')
  await caseType.selectOption({ label: 'Care Act advocacy' })
  const form = page.getByRole('article', { name: 'Case form' })
  await form.getByRole('heading', { name: 'Care Act advocacy: case form' }).waitFor()
  await waitForIdle(page)
  expect(await form.getByText(/^If .*, go on\. Otherwise go to \d+\.$/).count()).toBeGreaterThan(0)
  await expectAccessible(page)
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  const pages = pdf.match(/\/Type\s*\/Page\b/g)!.length
  expect(pages).toBeGreaterThan(5)
  // A4 in points.
  expect(new Set(pdf.match(/\/MediaBox \[[^\]]*\]/g))).toEqual(
    new Set([expect.stringMatching(/0 0 59\d(\.\d+)? 84\d/)]),
  )
  // Only what is filled in stands on the paper.
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
  expect(await caseType.isVisible()).toBe(false)
})
