import type { Page, Route } from 'playwright-core'

/** Whether the request that is cut reaches the server: 'before' it leaves the browser, or with only its reply lost. */
export type Cut = 'before' | 'reply'

export interface CuttableNetwork {
  /** Requests of the page so far, as 'POST /action/'; those of the cut included. */
  requests: string[]
  isCut: () => boolean
  cut: () => void
  restore: () => void
  end: () => Promise<void>
}

// The page asks for these by itself, at times of its own.
const OWN = /^\/(healthz|assets\/|api\/ping|api\/events|api\/versions)|notification|contract-/

/** Cuts the network of a page at its nth request from now on (none if omitted), until it is restored. */
export async function cuttableNetwork(
  page: Page,
  at: { nth: number; cut: Cut; onCut: () => void } | undefined = undefined,
): Promise<CuttableNetwork> {
  const requests: string[] = []
  let isCut = false
  const handle = async (route: Route) => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    if (!isCut && !OWN.test(pathname)) {
      requests.push(`${request.method()} ${pathname}`)
      if (at && requests.length === at.nth) {
        isCut = true
        at.onCut()
        if (at.cut === 'reply') await route.fetch()
      }
    }
    await (isCut ? route.abort('internetdisconnected') : route.continue()).catch(() => undefined)
  }
  await page.route('**/*', handle)
  return {
    requests,
    isCut: () => isCut,
    cut: () => {
      isCut = true
    },
    restore: () => {
      isCut = false
    },
    end: () => page.unroute('**/*', handle),
  }
}
