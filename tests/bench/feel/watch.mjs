/** Runs in the page: `feelUntil(selector)` resolves to the milliseconds from the last click, or from navigation, to the frame in which the selector matches. */
export function watchPage() {
  let since = 0
  addEventListener(
    'click',
    ({ timeStamp }) => {
      since = timeStamp
    },
    true,
  )
  const elapsedAtNextFrame = (resolve) =>
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - since)))
  window.feelUntil = (selector) =>
    new Promise((resolve) => {
      if (document.querySelector(selector)) return elapsedAtNextFrame(resolve)
      const observer = new MutationObserver(() => {
        if (!document.querySelector(selector)) return
        observer.disconnect()
        elapsedAtNextFrame(resolve)
      })
      observer.observe(document, { childList: true, subtree: true })
    })
}
