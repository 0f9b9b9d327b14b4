import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// These tests need Debian packages that CONTRIBUTING.md lists, some also root, and are no part of `npm test`.
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    pool: 'forks',
    maxWorkers: 1,
    include: ['tests/cluster/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
