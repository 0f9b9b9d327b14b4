/** How to ask a page how many milliseconds of the processor's time it has spent in scripts so far. */
export async function scriptClock(page) {
  const cdp = await page.context().newCDPSession(page)
  // The time of the thread, not of the clock: other processes would count too.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ScriptDuration').value * 1000
  }
}
