import { expect, it } from 'vitest'
import { expectAccessible, expectNoFindings } from './accessible.ts'
import { sharedBrowser } from './browser.ts'

const PAGE = `<!doctype html><html lang="en"><title>A page</title>
  <main><h1>A page</h1><p style="color: #aaa; background: #fff">Pale</p><img src="data:,"></main></html>`

it('what is wrong on a page is found by its rule, and contrast where it is asked for', async () => {
  const page = await (await sharedBrowser()).newPage()
  await page.setContent(PAGE)
  await expect(expectAccessible(page, { contrast: false })).rejects.toThrow('image-alt: img')
  await expect(expectAccessible(page, { contrast: true })).rejects.toThrow('color-contrast: p')
  await page.locator('img').evaluate((image) => image.setAttribute('alt', ''))
  await expectAccessible(page, { contrast: false })
  await page.locator('p').evaluate((text) => text.removeAttribute('style'))
  await expectAccessible(page, { contrast: true })
  await expectNoFindings(page, 'a page without faults')
  await page.context().close()
})
