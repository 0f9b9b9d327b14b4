import { notify } from '../../engine/core/notices.ts'
import type { VersionEvent } from '../../engine/core/versionEvents.ts'

let isOutdated = false

/**
 * Compares the server's release with that of the page. An outdated page reloads on navigation or when the tab is
 * hidden, if nothing is unsaved, or when the user requests it.
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

/** Reloads an outdated page, unless unsaved input would be lost. */
export function reloadOutdated(): void {
  if (isOutdated && !isSomethingOpen()) location.reload()
}

function releaseOfPage(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="release"]')?.content
}

/** True if a dialog is open or input is unsaved, in which case a listener cancels the `beforeunload` event. */
function isSomethingOpen(): boolean {
  const closing = new Event('beforeunload', { cancelable: true })
  dispatchEvent(closing)
  return closing.defaultPrevented || document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
}
