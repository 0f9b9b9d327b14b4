import { readdirSync, statSync, watch } from 'node:fs'
import path from 'node:path'

const isFolder = (file) => statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false

/**
 * Calls `changed` whenever something below a folder changes. On Linux every folder has its own watcher, because Node's
 * recursive watching stops reporting a file once another was renamed over it, which is how many editors save.
 */
export function watchBelow(folder, changed) {
  if (process.platform !== 'linux') {
    watch(folder, { recursive: true }, changed)
    return
  }
  const watchers = new Map()
  const enter = (entered) => {
    const watcher = watch(entered, (_, name) => {
      enterIfFolder(path.join(entered, name))
      changed()
    })
    watcher.on('error', () => watcher.close())
    // A folder that was removed and created again needs a new watcher.
    watchers.get(entered)?.close()
    watchers.set(entered, watcher)
    for (const name of readdirSync(entered)) enterIfFolder(path.join(entered, name))
  }
  const enterIfFolder = (file) => {
    try {
      if (isFolder(file)) enter(file)
    } catch (error) {
      // Removed before it could be watched.
      if (error.code !== 'ENOENT') throw error
    }
  }
  enter(folder)
}
