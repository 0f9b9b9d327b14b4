import { onLoadOf } from './patches.mjs'

// The first call of an observer reports the initial size, which is no change.
const sensor = `
export const ResizeSensor = {
  attach(element, changed) {
    let started = false
    const observer = new ResizeObserver(() => {
      if (started) changed()
      started = true
    })
    observer.observe(element)
    return () => observer.disconnect()
  },
}`

/**
 * esbuild plugin: Blueprint Table measures itself with inline styles, which the content security policy forbids, so it
 * gets a ResizeObserver instead.
 */
export const tableCsp = {
  name: 'tableCsp',
  setup(build) {
    onLoadOf(build)('@blueprintjs/table', /@blueprintjs[\\/]table[\\/].*[\\/]resizeSensor\.js$/, () => ({
      contents: sensor,
    }))
  },
}
