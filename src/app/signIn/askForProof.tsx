import type { AxiosError } from 'axios'
import { createRoot } from 'react-dom/client'
import type { Contract } from '../../contract/contract.ts'
import { ContractContext } from '../../engine/core/contract.ts'
import { loadStyle } from '../../engine/core/loadStyle.ts'
import { bodyOf } from '../core/errors.ts'
import { type ProofWays, StepUpDialog } from './StepUpDialog.tsx'

let answer: Promise<boolean> | undefined

/**
 * If a call was refused until the person proves again who they are, asks them to, in a dialog over the page. Returns
 * false if the call was refused for another reason, or they cancelled. Calls that are refused at the same time share
 * one dialog.
 */
export async function askForProof(contract: Contract, error: AxiosError): Promise<boolean> {
  const body = (await bodyOf(error)) as (ProofWays & { code?: string }) | undefined
  if (body?.code !== 'step_up') return false
  answer ??= ask(contract, body).finally(() => {
    answer = undefined
  })
  return answer
}

async function ask(contract: Contract, ways: ProofWays): Promise<boolean> {
  await loadStyle('proof')
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  try {
    return await new Promise<boolean>((resolve) =>
      root.render(
        <ContractContext value={contract}>
          <StepUpDialog ways={ways} onEnd={resolve} />
        </ContractContext>,
      ),
    )
  } finally {
    root.unmount()
    place.remove()
  }
}
