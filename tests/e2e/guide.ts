import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A fenced block of a guide: a whole new file, a change of one, or what the check prints. */
export interface Block {
  language: string
  /** Path of the file from the root, or `check`. */
  file: string
  lines: string[]
  /** Where its first line stands, for messages. */
  guide: string
  line: number
}
export interface Task {
  heading: string
  blocks: Block[]
  /** The task tells the reader to run `npm run generate`. */
  generates: boolean
}

/** The tasks of a guide: what stands under each heading of the third level, before the reference. */
export function readTasks(guide: string, text = readFileSync(guide, 'utf8')): Task[] {
  const tasks: Task[] = []
  let open: Block | undefined
  for (const [i, line] of text.split('\n## Reference\n')[0].split('\n').entries()) {
    const task = tasks.at(-1)
    if (open) {
      if (line !== '```') open.lines.push(line)
      else if (task && open.file) task.blocks.push(open)
      else if (task) task.generates ||= open.lines.some((command) => command.startsWith('npm run generate'))
      if (line === '```') open = undefined
    } else if (line.startsWith('```')) {
      const [language, file = ''] = line.slice(3).split(' ')
      open = { language, file, lines: [], guide, line: i + 2 }
    } else if (line.startsWith('### ')) tasks.push({ heading: line.slice(4), blocks: [], generates: false })
  }
  return tasks
}

/** Applies the blocks of a task to a copy of the repository. */
export function applyTask({ blocks }: Task, folder: string): void {
  for (const block of blocks.filter(({ language }) => language !== 'text')) {
    const path = join(folder, block.file)
    if (block.language === 'diff') {
      if (!existsSync(path)) throw new Error(`${placeOf(block)}: there is no ${block.file}`)
      writeFileSync(path, changed(readFileSync(path, 'utf8'), block))
      continue
    }
    if (existsSync(path)) throw new Error(`${placeOf(block)}: ${block.file} is there already`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${block.lines.join('\n')}\n`)
  }
}

/** A text with the changes of a block; a line `@@` stands between two changes that do not follow each other. */
export function changed(text: string, block: Block): string {
  const { file, lines } = block
  let result = text.split('\n')
  let from = 0
  while (from <= lines.length) {
    const end = lines.indexOf('@@', from)
    const part = lines.slice(from, end < 0 ? undefined : end)
    const [before, after] = ['-', '+'].map((sign) =>
      part.filter((line) => line === '' || [' ', sign].includes(line[0])).map((line) => line.slice(1)),
    )
    const found = result.flatMap((_, at) => (before.every((line, i) => result[at + i] === line) ? [at] : []))
    if (found.length !== 1)
      throw new Error(`${placeOf(block, from)}: this change fits ${found.length} places of ${file}`)
    result = result.toSpliced(found[0], before.length, ...after)
    if (end < 0) break
    from = end + 1
  }
  return result.join('\n')
}

function placeOf({ guide, line }: Block, offset = 0): string {
  return `${guide}:${line + offset}`
}
