import { readdirSync } from 'node:fs'
import path from 'node:path'

/**
 * Every path below a folder, files and folders, relative to the working directory; none below a file or when it is
 * missing. Without hidden files: those are an editor's own, at times a link to nowhere.
 */
export function below(folder) {
  try {
    return readdirSync(folder, { recursive: true })
      .map((name) => path.join(folder, name))
      .filter((file) => !path.basename(file).startsWith('.'))
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  }
}
