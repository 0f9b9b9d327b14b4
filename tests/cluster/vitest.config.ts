import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// These tests need Debian's packages postgresql, pgbouncer, haproxy, patroni and etcd-server, some also libfaketime or root, and are no part of
// `npm test`.
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
