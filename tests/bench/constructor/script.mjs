/** How to ask a page how many milliseconds it has spent in scripts so far. */
export async function scriptClock(page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  return async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ScriptDuration').value * 1000
  }
}
