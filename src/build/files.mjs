import { readdirSync } from 'node:fs'
import path from 'node:path'

/**
 * Every path below a folder, files and folders, relative to the working directory; [] for a file or a missing folder.
 * Without hidden files, which belong to editors and may be dangling links.
 */
export function below(folder) {
  try {
    return readdirSync(folder, { recursive: true })
      .map((name) => path.join(folder, name))
      .filter((file) => !path.basename(file).startsWith('.'))
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}
