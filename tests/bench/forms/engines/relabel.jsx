// The product's form alone, whose labels change from outside: what the preview of the constructor costs at least.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ContractContext } from '../../../../src/engine/core/contract.ts'
import { UserContext } from '../../../../src/engine/core/user.ts'
import { FormView } from '../../../../src/engine/form/FormView.tsx'
import { root } from '../adapter.js'

const contract = /** @type {import('../../../../src/contract/contract.ts').Contract} */ (
  /** @type {unknown} */ ({ lookups: {}, entities: {}, endpoints: {} })
)
const user = { id: 1, username: 'bench', first_name: 'Ann', last_name: 'Ames', groups: [1], status: 1 }
const NOTHING = {}

function Relabelled() {
  const [sections, setSections] = useState([{ key: 'bench', at: '', groups: window.meta }])
  window.relabel = (g, f, label) =>
    setSections(([section]) => [{ ...section, groups: relabelled(section.groups, g, f, label) }])
  return <FormView sections={sections} initial={NOTHING} conditionContext={NOTHING} idPrefix="f" />
}

const relabelled = (groups, g, f, label) =>
  groups.with(g - 1, {
    ...groups[g - 1],
    fields: groups[g - 1].fields.with(f, { ...groups[g - 1].fields[f], label }),
  })

createRoot(root()).render(
  <ContractContext value={contract}>
    <QueryClientProvider client={new QueryClient()}>
      <UserContext value={user}>
        <Relabelled />
      </UserContext>
    </QueryClientProvider>
  </ContractContext>,
)
