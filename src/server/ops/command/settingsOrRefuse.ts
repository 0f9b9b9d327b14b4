import { readSettings, type Settings } from '../../core/settings.ts'
import { StartProblem } from '../../core/startProblem.ts'

/** The settings of the environment; throws a StartProblem for an invalid one. */
export function settingsOrRefuse(): Settings {
  try {
    return readSettings(process.env)
  } catch (error) {
    throw new StartProblem((error as Error).message)
  }
}
