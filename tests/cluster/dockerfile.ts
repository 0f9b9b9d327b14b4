import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { EmptyRoot } from './emptyRoot.ts'

/** What the steps of a Dockerfile made, in a system instead of an image. */
export interface Image {
  root: EmptyRoot
  /** The system of the stage `build`. */
  build: EmptyRoot
  env: Record<string, string>
  cwd: string
  user: number
  command: string[]
  healthcheck: string[]
}

interface Stage extends Omit<Image, 'build'> {
  name: string
}

type Step = (rest: string, stage: Stage) => void

/** Carries out the steps of a Dockerfile, each stage on a system that `base` makes of the name of its image. */
export function runDockerfile(
  file: string,
  args: Record<string, string>,
  base: (image: string) => EmptyRoot,
): Image {
  const context = process.cwd()
  const ignored = lines(`${file}.dockerignore`)
  const stages: Stage[] = []
  const steps: Record<string, Step> = {
    WORKDIR: (rest, stage) => {
      stage.cwd = rest
      mkdirSync(join(stage.root.folder, rest), { recursive: true })
    },
    ENV: (rest, stage) => {
      for (const pair of rest.split(' ')) {
        const [name, value] = pair.split('=')
        stage.env[name] = value
      }
    },
    COPY: (rest, stage) => {
      const words = rest.split(' ')
      const from = words[0].startsWith('--from=') ? words.shift()!.slice('--from='.length) : undefined
      const target = resolve('/', stage.cwd, words.pop()!)
      const source = from ? stages.find(({ name }) => name === from)!.root.folder : context
      for (const word of words) {
        const path = join(source, word)
        const isFolder = word === '.' || !/\.\w+$/.test(word)
        const to = join(stage.root.folder, isFolder ? target : join(target, word.split('/').at(-1)!))
        const isIncluded = (name: string) =>
          from !== undefined || !isIgnored(relative(context, name), ignored)
        cpSync(path, to, { recursive: true, filter: isIncluded, verbatimSymlinks: true })
      }
    },
    RUN: (rest, { root, cwd, env }) => void root.run(['sh', '-c', rest], { cwd, env }),
    USER: (rest, stage) => {
      stage.user = Number(rest.split(':')[0])
    },
    EXPOSE: () => undefined,
    HEALTHCHECK: (rest, stage) => {
      stage.healthcheck = JSON.parse(rest.replace(/^CMD /, ''))
    },
    CMD: (rest, stage) => {
      stage.command = JSON.parse(rest)
    },
  }
  for (const line of lines(file)) {
    const [, word, rest] = line.match(/^(\w+) (.*)$/)!
    if (word === 'ARG') continue
    if (word === 'FROM') {
      const [image, , name = ''] = rest.replace(/\$\{(\w+)\}/g, (_, arg) => args[arg]).split(' ')
      stages.push({ name, root: base(image), env: {}, cwd: '/', user: 0, command: [], healthcheck: [] })
    } else if (steps[word]) {
      const stage = stages.at(-1)!
      steps[word](rest, stage)
    } else throw new Error(`The test carries out no ${word} of a Dockerfile.`)
  }
  return { ...stages.at(-1)!, build: stages[0].root }
}

const lines = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))

const isIgnored = (path: string, ignored: string[]) =>
  ignored.some((one) => path === one || path.startsWith(`${one}/`))
