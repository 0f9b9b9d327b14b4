import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isStale } from '../../../src/build/stale.mjs'
import { embeddedUrl } from '../calls/database.mjs'
import { startProduct } from '../calls/product.mjs'
import { later } from '../cleanUp.mjs'
import { browserLauncher } from '../forms/browser.mjs'
import { bundle } from '../forms/bundle.mjs'
import { serve } from '../forms/serve.mjs'
import { median } from '../numbers.mjs'
import { save } from '../report.mjs'
import { bigMeta } from './bigMeta.mjs'
import { openConstructor } from './page.mjs'
import { redrawn } from './redrawn.mjs'
import { report } from './report.mjs'
import { richMeta } from './richMeta.mjs'
import { staffList } from './staffList.mjs'
import { textsGrow } from './textsGrow.mjs'
import { untilVisible } from './untilVisible.mjs'

const STAFF = 10_000
const PASSWORD = 'bench-password'

/** Measures the work of an administrator: the constructor with a large form, a publication, a long list of staff. */
export async function run({ rounds: asked, fields: askedFields, shape }) {
  const fields = Number(askedFields)
  const rounds = Number(asked)
  if (isStale()) execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' })
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  const { address } = await startProduct(folder, { DATA_DIR: folder, DEMO: '1', DEMO_PASSWORD: PASSWORD })
  const meta = (shape === 'rich' ? richMeta : bigMeta)(fields)
  const launch = await browserLauncher()
  const browser = await launch()
  later(() => browser.close())
  const signIn = (username) => signedIn(browser, address, username)

  const admin = await signIn('admin')
  const plain = await redrawn(browser, await serve(await bundle(['relabel'])), bigMeta(fields), rounds)
  const bench = await openConstructor(admin, meta)
  const results = {
    plain: median(plain),
    key: median(await bench.keys(rounds)),
    drop: median(await bench.drops(rounds)),
    choose: median(await bench.chooses(rounds)),
    undo: median(await bench.undos(rounds)),
    redo: median(await bench.redos(rounds)),
    ...(await addAndRemoval(bench, rounds)),
    open: median(await bench.opens(rounds)),
    visible: median(await untilVisible(admin, await signIn('advocate'), rounds)),
    texts: textsGrow(),
    staff: await staffList(address, admin, embeddedUrl(folder), STAFF),
  }
  report(results, { fields, staff: STAFF })
  save('constructor', results)
}

async function addAndRemoval(bench, rounds) {
  const { adds, removals } = await bench.addsAndRemovals(rounds)
  return { add: median(adds), removal: median(removals) }
}

async function signedIn(browser, address, username) {
  const context = await browser.newContext({ baseURL: address, viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((url) => !['/login', '/dashboard'].includes(url.pathname))
  return page
}
