import type { AxiosError } from 'axios'
import { createRoot } from 'react-dom/client'
import type { Contract } from '../../contract/contract.ts'
import { ContractContext } from '../../engine/core/contract.ts'
import { loadStyle } from '../../engine/core/loadStyle.ts'
import { bodyOf } from '../core/errors.ts'
import { type ProofWays, StepUpDialog } from './StepUpDialog.tsx'

let answer: Promise<boolean> | undefined

/**
 * Asks the person to prove again who they are, over the page, if a call was refused for lack of that; false if it was not,
 * or they do not want to. Calls that are refused at once share one question.
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
