import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { makeRunFolder } from './temporaryFolder.ts'

makeRunFolder()

// Bundled once for the engine's tests: every file would load hundreds of modules of Blueprint otherwise. Packages that
// import React are listed too, so that there is one React.
const BUNDLED = [
  '@blueprintjs/core',
  '@blueprintjs/icons',
  '@rjsf/core',
  '@rjsf/utils',
  '@rjsf/validator-ajv8',
  '@tanstack/react-query',
  '@testing-library/dom',
  '@testing-library/react',
  '@testing-library/user-event',
  'downshift',
  'react',
  'react-dom',
  'react-dom/client',
  'react/jsx-dev-runtime',
  'react/jsx-runtime',
  'react-router-dom',
]

/** What takes longest, in order: begun last, one of them would run alone at the end. */
const LONGEST = ['/tests/e2e/screen', '/tests/e2e/']

/** Begins with the sweeps over all screens, then the journeys. */
class LongestFirst extends BaseSequencer {
  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((part) => moduleId.includes(part))
      return place < 0 ? LONGEST.length : place
    }
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}

/** Engine tests that replace modules. */
const ISOLATED = 'tests/engine/**/*.isolated.test.tsx'

const ENGINE = {
  include: ['tests/engine/**/*.test.tsx'],
  environment: 'jsdom',
  setupFiles: 'tests/engine/setup.ts',
  deps: { optimizer: { client: { enabled: true, include: BUNDLED } } },
}

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    pool: 'forks',
    // Most of what a test makes is gone at once: with more room for it, less is moved about.
    execArgv: ['--max-semi-space-size=64'],
    // One more than the cores that tests are made for: browsers and debounced saves leave them idle a third of the time.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Only what hangs ends by these: a step of a journey has a limit of its own, and a slow machine is no mistake.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 15_000 } },
    // Files that are not isolated share the modules of their worker: importing them anew for each file takes longer than
    // most tests.
    projects: [
      {
        extends: true,
        test: { name: 'pure', include: ['tests/{contract,engine}/**/*.test.ts'], isolate: false },
      },
      {
        extends: true,
        test: { ...ENGINE, name: 'engine', exclude: [ISOLATED], isolate: false },
      },
      // A module that is replaced would be so for all files of the worker.
      {
        extends: true,
        test: { ...ENGINE, name: 'isolated', include: [ISOLATED] },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['tests/{server,e2e}/**/*.test.ts'],
          globalSetup: 'tests/globalSetup.ts',
          isolate: false,
        },
      },
    ],
  },
})
