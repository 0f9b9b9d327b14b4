import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const files = (folder: string) => [`tests/${folder}/**/*.test.{ts,tsx}`]

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    environment: 'node',
    globalSetup: 'tests/globalSetup.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 5000 } },
    projects: [
      // Pure functions and servers of their own share the modules of a worker: importing them anew for each file takes
      // longer than most tests.
      {
        extends: true,
        test: { name: 'shared', include: ['contract', 'server'].flatMap(files), isolate: false },
      },
      { extends: true, test: { name: 'isolated', include: ['engine', 'e2e'].flatMap(files) } },
    ],
  },
})
