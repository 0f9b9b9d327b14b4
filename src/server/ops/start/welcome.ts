import type { Contract } from '../../../contract/contract.ts'
import type { Settings } from '../../core/settings.ts'

interface Started {
  contract: Contract
  address: string
  demo: boolean
  setup?: string
  data: string
}

/** The start message of the console: address, sign-ins, where the data is stored. */
export function welcome({ contract, address, demo, setup, data }: Started, settings: Settings): string {
  const roles = [...contract.roles.roles].sort((a, b) => a.id - b.id)
  const signIns = roles.map(
    ({ demo, label }) => `  ${demo.padEnd(16)} ${settings.DEMO_PASSWORD.padEnd(16)} ${label}`,
  )
  return [
    '',
    `${settings.PRODUCT_NAME} runs at ${address}`,
    `The data lives in ${data}`,
    ...(demo ? ['Sign in as one of:', ...signIns] : []),
    ...(setup ? [`Make the first administrator (works once): ${address}/setup/${setup}`] : []),
    'Ctrl-C stops it.',
    '',
  ].join('\n')
}
