import { loadContract } from '../src/check/load.ts'

const { contract: loaded, problems } = loadContract(process.cwd())
if (problems.length > 0) throw new Error(JSON.stringify(problems))

/** The product's contract, loaded once for all files of a process; who changes it loads one of their own. */
export const contract = loaded
