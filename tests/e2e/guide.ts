import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A fenced block of a guide: a new file, a diff of one, or the output of the check. */
export interface Block {
  language: string
  /** Path of the file from the root, or `check`. */
  file: string
  lines: string[]
  /** Path of the guide and line number of the first line, for error messages. */
  guide: string
  line: number
}
export interface Task {
  heading: string
  blocks: Block[]
  /** The task includes the command `npm run generate`. */
  generates: boolean
}

const BLOCK = /^```(\w+)(?: (\S+))?\n(.*?)^```$/gms

/** Parses the tasks of a guide: the sections with third-level headings before the reference. */
export function readTasks(guide: string, text = readFileSync(guide, 'utf8')): Task[] {
  const [written] = text.split('\n## Reference\n')
  const headings = [...written.matchAll(/^### (.*)$/gm)]
  return headings.map(({ index: start, 1: heading }, i) => {
    const end = headings[i + 1]?.index ?? written.length
    const found = [...written.slice(0, end).matchAll(BLOCK)].filter(({ index }) => index > start)
    const commands = found.filter(([, , file]) => !file).flatMap(([, , , lines]) => lines.split('\n'))
    return {
      heading,
      blocks: found.filter(([, , file]) => file).map((match) => blockOf(guide, written, match)),
      generates: commands.some((command) => command.startsWith('npm run generate')),
    }
  })
}

/** Parses a block. The line above must name its file too, because readers do not see the info string of a fence. */
function blockOf(
  guide: string,
  text: string,
  { index, 1: language, 2: file, 3: body }: RegExpExecArray,
): Block {
  const before = text.slice(0, index)
  const block = {
    language,
    file,
    lines: body.split('\n').slice(0, -1),
    guide,
    line: before.split('\n').length + 1,
  }
  const isNamed = before.trimEnd().split('\n').at(-1)?.includes(`\`${file}\``)
  if (language !== 'text' && !isNamed)
    throw new Error(`${placeOf(block, -1)}: name ${file} in the line above`)
  return block
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

/** Applies the diff of a block to a text; a line `@@` separates hunks. */
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
