import { notify } from '../engine/runtime/notices.ts'
import type { VersionEvent } from '../engine/runtime/versionEvents.ts'

let isOutdated = false

/**
 * Compares the server's release with that of the page. An outdated page is loaded again where nothing is lost by it: at
 * the next address, once the tab is hidden, or when the person says so.
 */
export function checkRelease(events: VersionEvent[]): void {
  const release = events.find(({ entity }) => entity === 'page')?.version
  if (isOutdated || release === undefined || String(release) === releaseOfPage()) return
  isOutdated = true
  notify({
    kind: 'success',
    text: 'There is a new version. It comes with the next page that you open.',
    action: { label: 'Load it now', run: () => location.reload() },
  })
}

/** Loads an outdated page again, unless something would be lost by it. */
export function reloadOutdated(): void {
  if (isOutdated && !isSomethingOpen()) location.reload()
}

function releaseOfPage(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="release"]')?.content
}

/** Whether something is being filled in: whatever would ask before the page is closed says so. */
function isSomethingOpen(): boolean {
  const closing = new Event('beforeunload', { cancelable: true })
  dispatchEvent(closing)
  return closing.defaultPrevented || document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
}
